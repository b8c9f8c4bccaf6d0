/** A word or phrase that the project does not use, and what it writes instead. */
export type UnwantedWord = {
  /** Matched against plain lower-case text: names are split into their words, line breaks are spaces. */
  readonly pattern: RegExp;
  readonly use: string;
};

/** The field's terms stand in `docs/glossary.md`. A word is unwanted where readers would have to guess which of them is meant. */
export const unwantedWords: readonly UnwantedWord[] = [
  { pattern: /\b(tells?|telling|told)\b/g, use: "publish, notify, send; say or state in prose" },
  { pattern: /\b(hears?|heard|hearing|hearers?)\b/g, use: "subscriber, is notified of, receives" },
  { pattern: /\b(doors?|doorways?)\b/g, use: "protocol, entry point, endpoint" },
  { pattern: /\b(takes?|taken|taking|took) up\b(?! to\b)/g, use: "resume, reload" },
  { pattern: /\b(goes?|going|gone|went) on with\b/g, use: "resume, continue" },
  { pattern: /\bwoken\b/g, use: "enqueue a wake-up" },
  {
    pattern: /\b(somebody|nobody)( s)?\b/g,
    use: "the role that acts (user, caller, operator); owned by, unowned",
  },
  { pattern: /\bwho upgrades\b/g, use: "users who upgrade" },
  {
    pattern: /\b(of|for|by|from|to) who (asks?|clones?|changes?|writes?|reads?|calls?)\b/g,
    use: "the caller, the reader, users who …",
  },
  { pattern: /\bheld against\b/g, use: "validated against, compared with" },
  { pattern: /\bdead attempts?\b/g, use: "stale attempt" },
  { pattern: /\bbesides\b/g, use: "in addition to, also" },
  { pattern: /\bcame to\b/g, use: "total, amount to" },
  { pattern: /\b(puts?|putting) down\b/g, use: "yield, suspend, hand off" },
  { pattern: /\bkept cop(y|ies)\b/g, use: "checkpoint" },
  { pattern: /\b(carr(y|ies|ied)) over\b/g, use: "resume from a checkpoint" },
  { pattern: /\bkeeps? (lock|lease)\b/g, use: "renew the lease" },
  { pattern: /\bsettles? (answer|call|job)\b/g, use: "complete, fail, record" },
  { pattern: /\b(mends?|mended|mending)\b/g, use: "reconcile, repair" },
  { pattern: /\blets? go\b/g, use: "tombstone, purge, release" },
];

/** A use that stays, below a folder: a name that is stored or sent, or a text in another language. */
export type KeptUse = { readonly below: string; readonly use: RegExp; readonly because: string };

export const keptUses: readonly KeptUse[] = [
  {
    below: "shared/engine/",
    use: /\.told\b|\btold(?=\??: )/g,
    because: "a field of stored checkpoints",
  },
  { below: "shared/knowledge/lexical/", use: /\bdie dit door een\b/g, because: "Dutch" },
  { below: "", use: /`doors`|\bdoors(?=: )|\.doors\b/g, because: "a member of `/info`" },
  { below: "shared/queue/", use: /"nobody"/g, because: "the group of messages without a user" },
];
