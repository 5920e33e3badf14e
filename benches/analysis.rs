//! What one edit costs: the whole analysis of designs of 100, 1 000 and 10 000 elements, and of deep chains.
#![allow(missing_docs, reason = "a bench")]

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pipeline_desk::{
    analysis::{Figures, analyse, delivery, graph::Graph},
    model::View,
    rules::review,
};

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("analysis");
    group.sample_size(20);
    for elements in [100, 1_000, 10_000] {
        let design = common::design(elements);
        group.bench_with_input(BenchmarkId::new("whole", elements), &design, |bencher, design| {
            bencher.iter(|| analyse(design, View::AsIs));
        });
        group.bench_with_input(BenchmarkId::new("with rules", elements), &design, |bencher, design| {
            bencher.iter(|| review(design, View::AsIs));
        });
        group.bench_with_input(BenchmarkId::new("graph", elements), &design, |bencher, design| {
            bencher.iter(|| Graph::new(design, View::AsIs).order.len());
        });
        group.bench_with_input(BenchmarkId::new("delivery", elements), &design, |bencher, design| {
            let graph = Graph::new(design, View::AsIs);
            let figures = Figures::of(&graph);
            bencher.iter(|| delivery::judge(&graph, &figures));
        });
    }
    for elements in [100, 900] {
        let design = common::chain(elements);
        group.bench_with_input(BenchmarkId::new("chain", elements), &design, |bencher, design| {
            bencher.iter(|| analyse(design, View::AsIs));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
