/** Looks of the docs page. Fonts of the reader's own system; colours for a light and a dark one. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d2126; --soft: #5c6570; --line: #e4e1db; --accent: #0b6e63;
  --code: #f4f2ee; --get: #0b6e63; --post: #8a5a00; --patch: #5b4bb5; --delete: #b3261e; --shadow: 0 1px 2px #0000000d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #1b1f23; --ink: #e6e8ea; --soft: #9aa4ae; --line: #2c3238; --accent: #58c7b8;
    --code: #22272c; --get: #58c7b8; --post: #e0ad4f; --patch: #a79bf0; --delete: #f2877f; --shadow: none;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
code, pre, input, textarea, select, .path { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
header {
  position: sticky; top: 0; z-index: 1; display: flex; gap: 1rem; align-items: center; flex-wrap: wrap;
  padding: .75rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line);
}
header h1 { margin: 0; font-size: 1.05rem; letter-spacing: -.01em; }
header h1 small { margin-left: .5rem; color: var(--soft); font-weight: 400; }
header .search { display: flex; gap: .5rem; align-items: center; color: var(--soft); font-size: .85rem; }
header .token { margin-left: auto; display: flex; gap: .5rem; align-items: center; color: var(--soft); font-size: .85rem; }
header .token input { width: min(24rem, 50vw); }
.layout { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
nav { position: sticky; top: 3.6rem; align-self: start; max-height: calc(100vh - 3.6rem); overflow: auto; padding: 1.5rem 1rem; }
nav h2, main > section > h2 {
  margin: 1.4rem 0 .4rem; font-size: .75rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft);
}
nav h2:first-child { margin-top: 0; }
nav a { display: block; padding: .2rem .5rem; border-radius: .4rem; color: inherit; text-decoration: none; font-size: .88rem; }
nav a:hover, nav a:focus-visible { background: var(--code); }
main { padding: 1.5rem; min-width: 0; }
main > p { max-width: 60ch; color: var(--soft); }
details.operation {
  margin: .6rem 0; background: var(--card); border: 1px solid var(--line); border-radius: .7rem; box-shadow: var(--shadow);
}
details.operation > summary {
  display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; padding: .75rem 1rem; cursor: pointer; list-style: none;
}
details.operation > summary::-webkit-details-marker { display: none; }
summary .path { font-size: .92rem; overflow-wrap: anywhere; }
summary .what { color: var(--soft); font-size: .9rem; }
summary .lock { margin-left: auto; color: var(--soft); font-size: .78rem; }
.method { min-width: 4.2rem; font: 600 .75rem/1 ui-monospace, monospace; letter-spacing: .04em; }
.GET { color: var(--get); } .POST { color: var(--post); } .PATCH { color: var(--patch); } .DELETE { color: var(--delete); }
.inside { padding: 0 1rem 1rem; border-top: 1px solid var(--line); }
.inside h3 { margin: 1.1rem 0 .4rem; font-size: .85rem; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: .88rem; }
th, td { padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 500; color: var(--soft); }
th:nth-child(1) { width: 24%; } th:nth-child(2) { width: 30%; }
td { overflow-wrap: anywhere; } td.name p { margin: .2rem 0 0; color: var(--soft); } [hidden] { display: none !important; }
td.name b { color: var(--delete); font-weight: 400; }
pre {
  margin: .4rem 0; padding: .8rem; max-height: 26rem; overflow: auto; background: var(--code); border-radius: .5rem;
  font-size: .82rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere;
}
code { padding: .1em .3em; background: var(--code); border-radius: .3em; font-size: .86em; }
input, textarea, select {
  width: 100%; padding: .35rem .5rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--paper);
  color: inherit; font-size: .85rem;
}
button {
  padding: .45rem 1.1rem; border: 0; border-radius: .45rem; background: var(--accent); color: var(--card);
  font: 600 .88rem system-ui, sans-serif; cursor: pointer;
}
button.quiet { background: var(--code); color: var(--ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.actions { display: flex; gap: .6rem; align-items: center; margin-top: .8rem; color: var(--soft); font-size: .85rem; }
.responses summary { cursor: pointer; padding: .25rem 0; font-size: .88rem; }
@media (max-width: 50rem) { .layout { grid-template-columns: 1fr; } nav { display: none; } }
`;
