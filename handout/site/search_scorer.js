// Which of the pages found come first. Sphinx puts this in its own script.
//
// A page whose title has all words that were asked for is about them, and a lab is what a course speaks of: so a lab
// comes first by its title, then the other pages that do, the shortest title before the others. A page of a finding and
// one of the guide say what a word means; the rest use it, with scores that stay below 100.
var Scorer = {
  score: ([page, title, anchor, , score]) => {
    const says = /^(findings|guide)\//.test(page) ? 100 : 0;
    const part = anchor === "" ? Scorer.partOf(title) : 0;
    const isAbout = part > 0 ? (/^labs\//.test(page) ? 400 : 200) + 50 * part : 0;
    return score + says + isAbout;
  },

  /** The words of a text that count, as Sphinx's index has them. */
  stemsOf: (text) => {
    const words = text.toLowerCase().split(/[^\p{Letter}\p{Number}]+/u);
    return words.filter((word) => word !== "" && !stopwords.has(word)).map((word) => new Stemmer().stemWord(word));
  },

  /** How much of a title the words are that were asked for; nothing where it lacks one of them. */
  partOf: (title) => {
    const asked = Scorer.stemsOf(new URLSearchParams(location.search).get("q") ?? "");
    const own = Scorer.stemsOf(title);
    return asked.length > 0 && asked.every((word) => own.includes(word)) ? asked.length / own.length : 0;
  },

  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
