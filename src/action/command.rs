//! The commands.

use super::context::{Condition, Context, when};

/// Where a command stands in menus and in the help sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Area {
    File,
    Edit,
    Add,
    Build,
    Walk,
    Select,
    Move,
    Arrange,
    View,
    Panes,
    Verdict,
    GoTo,
    Help,
}

impl Area {
    /// All areas in the order of the help sheet.
    pub const ALL: [Self; 13] = [
        Self::File,
        Self::Edit,
        Self::Add,
        Self::Build,
        Self::Walk,
        Self::Select,
        Self::Move,
        Self::Arrange,
        Self::View,
        Self::Panes,
        Self::Verdict,
        Self::GoTo,
        Self::Help,
    ];

    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::File => "Design",
            Self::Edit => "Edit",
            Self::Add => "Add",
            Self::Build => "Build",
            Self::Walk => "Walk",
            Self::Select => "Select",
            Self::Move => "Move",
            Self::Arrange => "Arrange",
            Self::View => "View",
            Self::Panes => "Panes",
            Self::Verdict => "Verdict",
            Self::GoTo => "Go to",
            Self::Help => "Help",
        }
    }
}

/// Under which heading the command palette lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Scope {
    GoTo,
    Selection,
    Everywhere,
}

/// Which part of the application carries it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Runner {
    /// Panes, dialogs, files, history.
    Shell,
    /// The canvas: it knows the viewport and the tool in hand.
    Canvas,
}

/// One command of the table.
#[derive(Debug)]
pub struct Row {
    /// The command.
    pub command: Command,
    /// Stable id.
    pub id: &'static str,
    /// What menus and buttons say.
    pub title: &'static str,
    /// One sentence for tooltips and the help sheet.
    pub help: &'static str,
    /// Where it stands.
    pub area: Area,
    /// Its heading in the palette.
    pub scope: Scope,
    /// Who carries it out.
    pub runner: Runner,
    /// Key bindings: `Ctrl+Shift+Z`, a sequence is parted by a space: `G V`. Ctrl stands for Ctrl or ⌘.
    pub keys: &'static [&'static str],
    /// Do the keys count only while the canvas has the focus (or nothing has)?
    pub on_canvas: bool,
    condition: Condition,
}

macro_rules! commands {
    ($($command:ident $id:literal $title:literal $area:ident $scope:ident $runner:ident $place:ident [$($key:literal),*] $when:ident $help:literal;)*) => {
        /// Everything that can be done by menu, button, key or palette.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Command { $($command),* }

        const TABLE: &[Row] = &[$(Row {
            command: Command::$command,
            id: $id,
            title: $title,
            help: $help,
            area: Area::$area,
            scope: Scope::$scope,
            runner: Runner::$runner,
            keys: &[$($key),*],
            on_canvas: commands!(@$place),
            condition: when::$when,
        }),*];
    };
    (@anywhere) => { false };
    (@canvas) => { true };
}

commands! {
    New "new" "New design" File Everywhere Shell anywhere [] always "Starts a design; the one that is open stays on this device.";
    OpenFile "open-file" "Open a file" File Everywhere Shell anywhere ["Ctrl+O"] always "Opens a design file, or reads what another tool printed.";
    OpenLink "open-link" "Open a link" File Everywhere Shell anywhere [] always "Opens a pasted link to a design, to read it first.";
    SaveFile "save-file" "Save a file" File Everywhere Shell anywhere ["Ctrl+S"] any_element "Saves design.json, the whole design as one readable file.";
    SaveSvg "save-svg" "Save the drawing as SVG" File Everywhere Shell anywhere [] any_element "The drawing with its legend, to be put into other documents.";
    SavePng "save-png" "Save the drawing as PNG" File Everywhere Shell anywhere [] any_element "The drawing with its legend, as pixels at twice its size.";
    Print "print" "Print the drawing" File Everywhere Shell anywhere [] any_element "The drawing with its legend on one page.";
    Import "import" "Import" File Everywhere Shell anywhere ["Ctrl+Shift+V"] edits "Reads pasted or dropped command output and shows what it would change.";
    Share "share" "Share" File Everywhere Shell anywhere ["Ctrl+Shift+S"] any_element "Makes a link that holds the design.";
    DownloadBundle "download-bundle" "Download the bundle" File Everywhere Shell anywhere [] any_element "One ZIP: the documents, the data packet and the design.";
    Keep "keep" "Keep a copy and edit" File Everywhere Shell anywhere [] reading "Stores the design of this link on this device.";
    Devices "on-this-device" "Designs on this device" File Everywhere Shell anywhere [] always "Lists the designs that are stored in this browser.";

    Undo "undo" "Undo" Edit Everywhere Shell anywhere ["Ctrl+Z"] can_undo "Takes the last change back.";
    Redo "redo" "Redo" Edit Everywhere Shell anywhere ["Ctrl+Shift+Z", "Ctrl+Y"] can_redo "Does the last undone change again.";
    Cut "cut" "Cut" Edit Selection Shell anywhere ["Ctrl+X"] edits_selected "Copies the selection as text and removes it.";
    Copy "copy" "Copy" Edit Selection Shell anywhere ["Ctrl+C"] selected "Copies the selection as text; it can be pasted in another tab.";
    Paste "paste" "Paste" Edit Everywhere Shell anywhere ["Ctrl+V"] edits "Puts copied elements on the canvas; other text is read as command output.";
    Duplicate "duplicate" "Duplicate" Edit Selection Canvas canvas ["Ctrl+D"] edits_element "Puts a copy of the selection beside it.";
    Delete "delete" "Delete" Edit Selection Canvas canvas ["Delete", "Backspace"] edits_selected "Removes the selection and the links of removed elements.";
    DeleteAndJoin "delete-and-join" "Delete and join the ends" Edit Selection Canvas canvas ["Ctrl+Delete", "Ctrl+Backspace"] edits_one_element "Removes the element and links what was before it with what was behind it.";

    SelectTool "select-tool" "Select" Add Everywhere Canvas anywhere ["V"] always "Picks and moves elements; a drag on the empty canvas selects.";
    HandTool "hand-tool" "Hand" Add Everywhere Canvas anywhere ["H"] always "Moves the canvas; holding Space does the same.";
    AddSource "add-source" "Source" Add Everywhere Canvas anywhere ["S"] edits "Where events are born.";
    AddChannel "add-channel" "Channel" Add Everywhere Canvas anywhere ["T"] edits "A topic, log or queue between steps.";
    AddOperator "add-operator" "Operator" Add Everywhere Canvas anywhere ["O"] edits "One step of a job.";
    AddJob "add-job" "Job frame" Add Everywhere Canvas anywhere ["J"] edits "What deploys, commits and fails together.";
    AddSink "add-sink" "Sink" Add Everywhere Canvas anywhere ["K"] edits "A store or outside system that receives.";
    AddConsumer "add-consumer" "Consumer" Add Everywhere Canvas anywhere ["U"] edits "Who acts on the result.";
    AddBatch "add-batch" "Batch path" Add Everywhere Canvas anywhere ["B"] edits "A batch job over the same events.";
    AddNote "add-note" "Note" Add Everywhere Canvas anywhere ["N"] edits "A remark on the canvas, without meaning for the analysis.";

    NextRight "next-right" "Add the next element to the right" Build Selection Canvas canvas ["Ctrl+ArrowRight"] edits_one_element "Adds what may follow, linked.";
    NextDown "next-down" "Add the next element below" Build Selection Canvas canvas ["Ctrl+ArrowDown"] edits_one_element "Adds what may follow, linked.";
    NextLeft "next-left" "Add the element before" Build Selection Canvas canvas ["Ctrl+ArrowLeft"] edits_one_element "Adds what may come before, linked.";
    NextUp "next-up" "Add the next element above" Build Selection Canvas canvas ["Ctrl+ArrowUp"] edits_one_element "Adds what may follow, linked.";
    Connect "connect" "Connect to" Build Selection Canvas canvas ["C"] edits_one_element "Then choose the target and press Enter.";
    Rename "rename" "Rename" Build Selection Canvas canvas ["F2", "Enter"] edits_one "Changes the name where it stands.";
    InsertIntoLink "insert-into-link" "Insert an operator" Build Selection Canvas canvas ["I"] edits_one_link "Puts an operator into the link; what comes after makes room.";
    MoveStart "move-start" "Move the start of the link" Build Selection Canvas canvas ["Alt+C"] edits_one_link "Then choose where it shall begin and press Enter.";
    MoveEnd "move-end" "Move the end of the link" Build Selection Canvas canvas ["Shift+C"] edits_one_link "Then choose where it shall end and press Enter.";

    WalkNext "walk-next" "Follow the link" Walk Selection Canvas canvas ["Alt+ArrowRight"] any_element "Selects what is linked behind.";
    WalkBack "walk-back" "Follow the link back" Walk Selection Canvas canvas ["Alt+ArrowLeft"] any_element "Selects what is linked before.";
    NextLink "next-link" "Next link" Walk Selection Canvas canvas ["L"] any_link "Selects a link of the element, or the link after the selected one.";
    PreviousLink "previous-link" "Previous link" Walk Selection Canvas canvas ["Shift+L"] any_link "Selects the link before.";
    WalkUp "walk-up" "Sibling above" Walk Selection Canvas canvas ["Alt+ArrowUp"] any_element "Selects the sibling above.";
    WalkDown "walk-down" "Sibling below" Walk Selection Canvas canvas ["Alt+ArrowDown"] any_element "Selects the sibling below.";

    SelectAll "select-all" "Select all" Select Everywhere Canvas canvas ["Ctrl+A"] any_element "Selects everything on the canvas.";
    SelectNone "select-none" "Select nothing" Select Everywhere Canvas canvas ["Escape"] always "Lets the selection and the tool in hand go.";
    SelectUpstream "select-upstream" "Select upstream" Select Selection Canvas canvas ["Alt+S U"] element_selected "Selects everything that comes before.";
    SelectDownstream "select-downstream" "Select downstream" Select Selection Canvas canvas ["Alt+S D"] element_selected "Selects everything that comes behind.";
    ContextMenu "context-menu" "Context menu" Select Everywhere Canvas canvas ["Shift+F10", "ContextMenu"] always "What can be done with the selection, or with the canvas.";
    SelectConnected "select-connected" "Select connected" Select Selection Canvas canvas ["Alt+S C"] element_selected "Selects everything that is linked with it.";

    MoveLeft "move-left" "Move left" Move Selection Canvas canvas ["ArrowLeft"] edits_selected "One grid step.";
    MoveRight "move-right" "Move right" Move Selection Canvas canvas ["ArrowRight"] edits_selected "One grid step.";
    MoveUp "move-up" "Move up" Move Selection Canvas canvas ["ArrowUp"] edits_selected "One grid step.";
    MoveDown "move-down" "Move down" Move Selection Canvas canvas ["ArrowDown"] edits_selected "One grid step.";
    MoveFarLeft "move-far-left" "Move far left" Move Selection Canvas canvas ["Shift+ArrowLeft"] edits_selected "Four grid steps.";
    MoveFarRight "move-far-right" "Move far right" Move Selection Canvas canvas ["Shift+ArrowRight"] edits_selected "Four grid steps.";
    MoveFarUp "move-far-up" "Move far up" Move Selection Canvas canvas ["Shift+ArrowUp"] edits_selected "Four grid steps.";
    MoveFarDown "move-far-down" "Move far down" Move Selection Canvas canvas ["Shift+ArrowDown"] edits_selected "Four grid steps.";
    Group "group" "Group into a job" Move Selection Canvas canvas ["Ctrl+G"] groups "Puts the selected operators into one job frame.";
    Ungroup "ungroup" "Ungroup" Move Selection Canvas canvas ["Ctrl+Shift+G"] ungroups "Gives each operator of the frame a job of its own.";

    AlignLeft "align-left" "Align left edges" Arrange Selection Canvas canvas ["Alt+A L"] edits_two "Lines the selection up.";
    AlignRight "align-right" "Align right edges" Arrange Selection Canvas canvas ["Alt+A R"] edits_two "Lines the selection up.";
    AlignTop "align-top" "Align upper edges" Arrange Selection Canvas canvas ["Alt+A T"] edits_two "Lines the selection up.";
    AlignBottom "align-bottom" "Align lower edges" Arrange Selection Canvas canvas ["Alt+A B"] edits_two "Lines the selection up.";
    AlignMiddle "align-middle" "Align middles" Arrange Selection Canvas canvas ["Alt+A M"] edits_two "Lines the selection up on one row.";
    AlignCentre "align-centre" "Align centres" Arrange Selection Canvas canvas ["Alt+A C"] edits_two "Lines the selection up on one column.";
    DistributeAcross "distribute-across" "Distribute across" Arrange Selection Canvas canvas ["Alt+A H"] edits_three "Makes the gaps between the selected elements equal.";
    DistributeDown "distribute-down" "Distribute down" Arrange Selection Canvas canvas ["Alt+A V"] edits_three "Makes the gaps between the selected elements equal.";
    Tidy "tidy" "Tidy" Arrange Everywhere Canvas anywhere ["Shift+T"] edits_any "Lays the design out in the order of flow; locked elements stay.";
    TidySelection "tidy-selection" "Tidy the selection" Arrange Selection Canvas anywhere ["Alt+Shift+T"] edits_two "Lays the selected elements out in the order of flow, where they are; all else stays.";
    Lock "lock" "Lock or unlock" Arrange Selection Canvas canvas ["Ctrl+Shift+L"] edits_element "Tidy leaves locked elements where they are.";

    ZoomIn "zoom-in" "Zoom in" View Everywhere Canvas anywhere ["Ctrl+=", "Ctrl++"] always "Makes the drawing larger.";
    ZoomOut "zoom-out" "Zoom out" View Everywhere Canvas anywhere ["Ctrl+-"] always "Makes the drawing smaller.";
    ZoomFull "zoom-full" "100 %" View Everywhere Canvas anywhere ["Ctrl+0", "Shift+0"] always "Shows the drawing at its own size.";
    ZoomFit "zoom-fit" "Fit" View Everywhere Canvas anywhere ["Shift+1"] any_element "Shows the whole drawing.";
    ZoomSelection "zoom-selection" "Zoom to the selection" View Selection Canvas anywhere ["Shift+2"] selected "Shows the selection as large as it fits.";
    PanLeft "pan-left" "Pan left" View Everywhere Canvas canvas ["Alt+Shift+ArrowLeft"] any_element "Moves the view; plain arrows do it while nothing is selected.";
    PanRight "pan-right" "Pan right" View Everywhere Canvas canvas ["Alt+Shift+ArrowRight"] any_element "Moves the view; plain arrows do it while nothing is selected.";
    PanUp "pan-up" "Pan up" View Everywhere Canvas canvas ["Alt+Shift+ArrowUp"] any_element "Moves the view; plain arrows do it while nothing is selected.";
    PanDown "pan-down" "Pan down" View Everywhere Canvas canvas ["Alt+Shift+ArrowDown"] any_element "Moves the view; plain arrows do it while nothing is selected.";
    Minimap "minimap" "Minimap" View Everywhere Canvas anywhere ["M"] always "Folds the map of the whole drawing or opens it.";
    ShowAsIs "show-as-is" "Show as-is" View Everywhere Shell anywhere ["["] always "What is there today: observed values only.";
    ShowToBe "show-to-be" "Show to-be" View Everywhere Shell anywhere ["]"] always "With everything that is proposed.";
    ShowBoth "show-both" "Show both" View Everywhere Shell anywhere ["\\"] always "As-is and to-be side by side; what differs is doubled.";
    Theme "theme" "Light or dark" View Everywhere Shell anywhere ["Alt+Shift+D"] always "Changes between the light and the dark theme.";

    LeftPane "left-pane" "Palette and outline" Panes Everywhere Shell anywhere ["Ctrl+B"] always "Folds the left pane or opens it.";
    Inspector "inspector" "Inspector" Panes Everywhere Shell anywhere ["Ctrl+I"] always "Folds the inspector or opens it.";
    Drawer "drawer" "Drawer" Panes Everywhere Shell anywhere ["Ctrl+J"] always "Folds the drawer to the verdict bar or opens it.";
    FocusMode "focus-mode" "Focus mode" Panes Everywhere Shell anywhere ["Ctrl+.", "Ctrl+Space"] always "Hides the left pane and the inspector.";
    Workshop "workshop" "Workshop view" Panes Everywhere Shell anywhere ["Shift+W"] any_element "For the projector: the drawing and one verdict, nothing else. Arrow keys change the consumer, Escape leaves.";
    NextPane "next-pane" "Next pane" Panes Everywhere Shell anywhere ["F6"] always "Moves the keyboard to the next pane.";
    PreviousPane "previous-pane" "Previous pane" Panes Everywhere Shell anywhere ["Shift+F6"] always "Moves the keyboard to the pane before.";

    WeakestHop "weakest-hop" "Next weakest hop" Verdict Everywhere Shell anywhere ["W"] has_weakest "Selects where a consumer's loss or duplicates come from.";
    NextConsumer "next-consumer" "Next consumer" Verdict Everywhere Shell anywhere ["G N"] has_consumer "Shows the verdict of the next consumer.";
    PreviousConsumer "previous-consumer" "Previous consumer" Verdict Everywhere Shell anywhere ["G P"] has_consumer "Shows the verdict of the consumer before.";
    ExplainFigure "explain" "Explain the figure" Verdict Selection Shell anywhere ["E"] has_figure "Formula, inputs, basis and source of the figure of the selection.";
    RepeatAnnouncement "repeat-announcement" "Repeat the last announcement" Verdict Everywhere Shell anywhere ["Alt+R"] always "For screen readers.";

    GoVerdict "go-verdict" "Verdict" GoTo GoTo Shell anywhere ["G V"] always "Opens the drawer at the verdict of each consumer.";
    GoFindings "go-findings" "Findings" GoTo GoTo Shell anywhere ["G F"] always "Opens the drawer at the findings.";
    GoExplain "go-explain" "Explain" GoTo GoTo Shell anywhere ["G E"] always "Opens the drawer at the explanation.";
    GoTimeline "go-timeline" "Timeline" GoTo GoTo Shell anywhere ["G T"] always "Opens the drawer at the timeline of a window: what becomes of late records.";
    GoReplay "go-replay" "Replay" GoTo GoTo Shell anywhere ["G R"] always "Opens the drawer at the ruler of a replay: how far back each log reaches, and what would change it.";
    GoState "go-state" "State and lag" GoTo GoTo Shell anywhere ["G S"] always "Opens the drawer at what an operator keeps, how its job comes back, and how a group catches up.";
    GoDocuments "go-documents" "Documents" GoTo GoTo Shell anywhere ["G D"] always "Opens the documents.";
    GoOutline "go-outline" "Outline" GoTo GoTo Shell anywhere ["G O"] always "Moves the keyboard to the outline.";
    GoCanvas "go-canvas" "Canvas" GoTo GoTo Shell anywhere ["G C"] always "Moves the keyboard to the canvas.";
    Find "find" "Find an element" GoTo GoTo Shell anywhere ["Ctrl+F"] any_element "Goes to an element by its name.";

    Commands "commands" "Commands" Help Everywhere Shell anywhere ["Ctrl+K", "Ctrl+Shift+P"] always "Every command, with its key.";
    Catalogue "catalogue" "Systems" Help Everywhere Shell anywhere ["G K"] always "What each system can lose, repeat and keep, with its settings and public source.";
    RuleBook "rules" "Rules" Help Everywhere Shell anywhere ["G L"] always "What each rule looks for, why, and what mends it.";
    Shortcuts "shortcuts" "Keys" Help Everywhere Shell anywhere ["?"] always "Every key, and what it does.";
    SingleKeys "single-keys" "Single-letter keys on or off" Help Everywhere Shell anywhere [] always "Letters alone can be switched off, for speech input.";
}

impl Command {
    /// All commands in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.command)
    }

    /// The commands of one area.
    pub fn of(area: Area) -> impl Iterator<Item = Self> {
        TABLE.iter().filter(move |row| row.area == area).map(|row| row.command)
    }

    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// What menus and buttons say.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// What it is called where the heading does not say that it adds: `Add source`.
    #[must_use]
    pub fn full_title(self) -> String {
        let row = self.row();
        if row.area == Area::Add && !matches!(self, Self::SelectTool | Self::HandTool) {
            return format!("Add {}", row.title.to_lowercase());
        }
        row.title.to_owned()
    }

    /// Can it be used now? If not, why.
    pub fn enabled(self, context: &Context) -> Result<(), &'static str> {
        (self.row().condition)(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sorted::SortedSet;

    #[test]
    fn every_command_stands_at_its_own_row_and_is_documented() {
        let mut ids = SortedSet::new();
        for command in Command::all() {
            let row = command.row();
            assert_eq!(row.command, command);
            assert!(ids.insert(row.id), "{} is there twice", row.id);
            assert!(row.help.ends_with('.') && !row.title.is_empty(), "{}", row.id);
            assert!(Area::ALL.contains(&row.area));
        }
    }

    #[test]
    fn a_command_that_cannot_be_used_says_why() {
        let context = Context::default();
        for command in Command::all() {
            if let Err(why) = command.enabled(&context) {
                assert!(why.ends_with('.'), "{}: {why}", command.row().id);
            }
        }
        assert!(Command::Undo.enabled(&context).is_err());
        assert!(Command::Undo.enabled(&Context { can_undo: true, ..Context::default() }).is_ok());
        let reading = Context { can_undo: true, reading: Some("You are reading."), ..Context::default() };
        assert!(Command::Undo.enabled(&reading).is_err());
        assert!(Command::ShowBoth.enabled(&reading).is_ok());
    }
}
