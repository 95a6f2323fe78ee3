//! Words that the authors of an api and its users swap, and words that say what is done rather than to what.
//!
//! A short list, made for no api in particular; what is special to one is mined from its documentation.

use crate::words::stem;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Words that may stand for each other, a class a line.
const CLASSES: &str = "\
create add new make insert build construct append generate
remove delete clear erase drop discard destroy
get read retrieve fetch obtain access query
set change modify update edit assign adjust configure specify
show display reveal visible present
hide conceal invisible hidden
open launch load start
close quit exit end
stop cancel abort halt
move shift translate position place drag
copy duplicate clone
find search locate lookup
count length number size
pick select choose selection selected
listen handle subscribe event on when fire
enable activate allow turn
disable deactivate prevent block
image picture photo bitmap
color colour
folder directory
window dialog popup
mouse pointer cursor
text string label caption
save write store persist export
import load insert
rename name title
merge combine join
split separate divide
sort order arrange
filter narrow restrict
lock protect freeze
run execute call invoke
group collect
repeat loop iterate each
wait delay sleep
play animate
rotate turn spin
resize scale size stretch
text font typeface
table grid
row line
column
sheet worksheet
message notification alert
link url hyperlink
hover over
number numeric integer
convert transform parse
undo revert restore";

/// What is done; a goal that begins with one says more with its other words.
const VERBS: &str = "\
access activate add adjust align allow animate append apply arrange assign attach bind blend block bring build calculate \
call cancel capture center change check choose clear click clip clone close collapse collect combine compare compile \
compress compute configure confirm connect construct control convert copy count create crop customize cut declare decode \
define delete deliver destroy detach detect determine disable disconnect dismiss display divide download drag draw drop \
duplicate edit emit enable encode encrypt end enlarge ensure enter erase evaluate exclude execute exit expand export \
extend extract fade fetch fill filter find finish fire fit flip focus fold follow force format freeze generate get give \
group handle hide highlight hold import include increase initialize insert inspect install invert invoke iterate join jump \
keep launch lay limit link list listen load locate lock log loop make manage map mark match measure merge minimize mirror \
modify monitor mount move mute navigate notify observe obtain open order output override pack paint parse pass paste pause \
perform persist pick place plan play point populate position prepare present preserve prevent print process prompt protect \
provide publish pull push put query read receive record redo reduce refresh register release reload remove rename render \
reorder repeat replace reply report request require reset resize resolve respond restart restore restrict resume retrieve \
return reveal reverse revert rotate round route run save scale scan schedule scroll search select send separate set share \
shift show shrink shuffle simulate size skip slice snap sort specify split stack start stop store stretch style submit \
subscribe suppress suspend swap switch sync take tell test tile toggle track transfer transform translate trigger trim \
turn undo ungroup unload unlock unregister unsubscribe update upload validate verify view wait warn watch wrap write zoom";

/// The stems that may stand for `word`, a stem itself.
pub fn kin(word: &str) -> &'static [String] {
    static KIN: OnceLock<BTreeMap<String, Vec<String>>> = OnceLock::new();
    let all = KIN.get_or_init(|| {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for class in CLASSES.lines() {
            let stems: BTreeSet<String> = class.split(' ').map(stem).collect();
            for one in &stems {
                let others = stems.iter().filter(|other| *other != one).cloned();
                all.entry(one.clone()).or_default().extend(others);
            }
        }
        all.into_iter().map(|(word, kin)| (word, kin.into_iter().collect())).collect()
    });
    all.get(word).map_or(&[], Vec::as_slice)
}

/// Whether `word`, a stem, says what is done.
pub fn is_deed(word: &str) -> bool {
    static DEEDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    DEEDS.get_or_init(|| VERBS.split(' ').map(stem).collect()).contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_class_stand_for_each_other() {
        assert!(kin(&stem("make")).contains(&stem("create")));
        assert!(kin("xylophon").is_empty());
    }

    #[test]
    fn a_word_of_several_classes_has_the_kin_of_all() {
        let kin = kin(&stem("load"));
        assert!(kin.contains(&stem("open")) && kin.contains(&stem("import")));
    }

    #[test]
    fn deeds_are_known_in_any_form() {
        assert!(is_deed(&stem("drawing")) && !is_deed(&stem("table")));
    }
}
