//! The controls of forms: label, control, and what is wrong beside it. What is typed lies in a signal of the caller.

use crate::model::said;
use leptos::prelude::*;

/// What every control of a form is told.
#[derive(Clone)]
pub struct Control {
    /// The name of the field; also of the control on the page.
    pub name: &'static str,
    /// What stands before it.
    pub label: &'static str,
    /// What to write, by example.
    pub example: &'static str,
    /// What is typed; a list has one entry a line.
    pub value: ArcRwSignal<String>,
    /// Field and reason of what is wrong, if anything is.
    pub wrong: RwSignal<Option<(String, String)>>,
}

impl Control {
    fn invalid(&self) -> impl Fn() -> bool + Clone + Send + Sync + use<> {
        let (name, wrong) = (self.name, self.wrong);
        move || wrong.with(|wrong| wrong.as_ref().is_some_and(|(field, _)| field == name))
    }

    fn write(&self) -> impl Fn(leptos::ev::Event) + use<> {
        let (value, wrong) = (self.value.clone(), self.wrong);
        move |event| {
            value.set(event_target_value(&event));
            if wrong.with_untracked(Option::is_some) {
                wrong.set(None);
            }
        }
    }

    /// Label, control and reason.
    fn around(&self, control: AnyView) -> AnyView {
        view! { <label class="field"><span class="label">{self.label}</span> {control} {self.reason()}</label> }
            .into_any()
    }

    fn reason(&self) -> AnyView {
        let (name, wrong) = (self.name, self.wrong);
        let own =
            move || wrong.with(|wrong| wrong.as_ref().filter(|(field, _)| field == name).map(|(_, why)| why.clone()));
        view! { {move || own().map(|why| view! { <span class="invalid block" role="alert">{why}</span> })} }.into_any()
    }

    /// One line of text; `kind` is the type of the input: `text`, `date`.
    pub fn line(&self, kind: &'static str) -> AnyView {
        let (value, invalid) = (self.value.clone(), self.invalid());
        self.around(
            view! {
                <input class="input" type=kind data-form=self.name placeholder=self.example autocomplete="off" maxlength="4000"
                    aria-invalid=move || invalid().to_string() prop:value=move || value.get() on:input=self.write() />
            }
            .into_any(),
        )
    }

    /// Several lines of text.
    pub fn text(&self) -> AnyView {
        let (value, invalid) = (self.value.clone(), self.invalid());
        self.around(
            view! {
                <textarea class="input" rows="2" data-form=self.name placeholder=self.example maxlength="4000"
                    aria-invalid=move || invalid().to_string() prop:value=move || value.get() on:input=self.write()></textarea>
            }
            .into_any(),
        )
    }

    /// One of these words, or none.
    pub fn word(&self, words: &[&'static str]) -> AnyView {
        let (value, invalid) = (self.value.clone(), self.invalid());
        let now = value.get_untracked();
        let options: Vec<AnyView> = words
            .iter()
            .map(|word| view! { <option value=*word selected=now == *word>{said(word)}</option> }.into_any())
            .collect();
        self.around(
            view! {
                <select class="input" data-form=self.name aria-invalid=move || invalid().to_string() prop:value=move || value.get() on:change=self.write()>
                    <option value="" selected=now.is_empty()>"not stated"</option>
                    {options}
                </select>
            }
            .into_any(),
        )
    }

    /// Any of these words.
    pub fn words(&self, words: &[&'static str]) -> AnyView {
        let boxes: Vec<AnyView> = words
            .iter()
            .map(|word| {
                let (word, value, shown) = (*word, self.value.clone(), self.value.clone());
                view! {
                    <label class="check">
                        <input type="checkbox" value=word
                            prop:checked=move || shown.with(|text| text.lines().any(|line| line == word))
                            on:change=move |event| value.update(|text| put(text, word, event_target_checked(&event))) />
                        {said(word)}
                    </label>
                }
                .into_any()
            })
            .collect();
        view! { <fieldset class="field" data-form=self.name><legend class="label">{self.label}</legend><div class="row wrap">{boxes}</div> {self.reason()}</fieldset> }
            .into_any()
    }

    /// An entry, or several; `known` are offered: what is written, and what it is called.
    pub fn entries(&self, known: Vec<(String, String)>, several: bool) -> AnyView {
        let list = format!("known-{}", self.name.replace('.', "-"));
        let titles: crate::sorted::SortedMap<String, String> = known.iter().cloned().collect();
        let options: Vec<AnyView> =
            known.into_iter().map(|(id, title)| view! { <option value=id>{title}</option> }.into_any()).collect();
        if !several {
            let (value, invalid) = (self.value.clone(), self.invalid());
            return self.around(
                view! {
                    <input class="input" list=list.clone() data-form=self.name placeholder=self.example autocomplete="off" spellcheck="false"
                        aria-invalid=move || invalid().to_string() prop:value=move || value.get() on:input=self.write() />
                    <datalist id=list>{options}</datalist>
                }
                .into_any(),
            );
        }
        let (typed, wrong, name) = (RwSignal::new(String::new()), self.wrong, self.name);
        let (shown, value) = (self.value.clone(), self.value.clone());
        let add = move || {
            let text = typed.get_untracked();
            if !text.trim().is_empty() {
                value.update(|all| put(all, text.trim(), true));
                typed.set(String::new());
                wrong.set(None);
            }
        };
        let (on_enter, on_click, on_leave) = (add.clone(), add.clone(), add);
        let chips = {
            let value = self.value.clone();
            move || {
                let one = |line: &str| {
                    let (line, value) = (line.to_owned(), value.clone());
                    let title = titles.get(&line).cloned().unwrap_or_else(|| line.clone());
                    let label = format!("Take {title} out");
                    view! {
                        <button type="button" class="button chip" aria-label=label title="Takes it out" on:click=move |_| value.update(|all| put(all, &line, false))>
                            {title} " ×"
                        </button>
                    }
                    .into_any()
                };
                shown.with(|all| all.lines().map(one).collect::<Vec<_>>())
            }
        };
        let invalid = self.invalid();
        view! {
            <div class="field">
                <label><span class="label">{self.label}</span>
                    <span class="row">
                        <input class="input" list=list.clone() data-form=name placeholder=self.example autocomplete="off" spellcheck="false"
                            aria-invalid=move || invalid().to_string()
                            prop:value=move || typed.get()
                            on:input=move |event| typed.set(event_target_value(&event))
                            on:change=move |_| on_leave()
                            on:keydown=move |event| if event.key() == "Enter" && !typed.with_untracked(String::is_empty) {
                                event.prevent_default();
                                on_enter();
                            } />
                        <button type="button" class="button" on:click=move |_| on_click()>"Add"</button>
                    </span>
                </label>
                <datalist id=list>{options}</datalist>
                <div class="row wrap">{chips}</div>
                {self.reason()}
            </div>
        }
        .into_any()
    }
}

/// Puts a line into a list of lines, or takes it out.
fn put(all: &mut String, line: &str, there: bool) {
    let mut lines: Vec<&str> = all.lines().filter(|old| *old != line).collect();
    if there {
        lines.push(line);
    }
    *all = lines.join("\n");
}
