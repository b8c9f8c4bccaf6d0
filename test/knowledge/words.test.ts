import { describe, expect, test } from "vitest";
import { fuseRanks } from "../../shared/domain/knowledge/fuse-ranks.ts";
import { closerFirst } from "../../shared/knowledge/lexical/closer-first.ts";
import { detectLanguage } from "../../shared/knowledge/lexical/detect-language.ts";
import { countWords, queryWords, type WordedText } from "../../shared/knowledge/lexical/index-words.ts";
import { languages } from "../../shared/knowledge/lexical/languages.ts";
import { mergeParts, openPart, type Part, packPart } from "../../shared/knowledge/lexical/part.ts";
import { rankParts } from "../../shared/knowledge/lexical/rank-parts.ts";
import { wordsOf } from "../../shared/knowledge/lexical/words-of.ts";

const cut = (text: string) => [...wordsOf(text)].map((word) => word.text);

/** A part of one text for each content, whose id is its number. */
async function partOf(
  texts: readonly (string | WordedText)[],
  owner: string | null = null,
  first = 0,
): Promise<Part> {
  const counted = await countWords(texts.map((text) => (typeof text === "string" ? { text } : text)));
  const chunks = counted.map(({ counts }, i) => ({
    content: { id: String(first + i), hash: "h", owner },
    position: 1,
    counts,
  }));
  return openPart(
    packPart(
      chunks,
      counted.map(({ language }) => language),
    ),
  );
}

async function found(parts: readonly Part[], query: string, owner?: string | null): Promise<string[]> {
  const present = languages.filter((one) => parts.some((part) => part.languages.includes(one)));
  const { hits } = rankParts(parts, await queryWords(query, present), owner, 10);
  return hits.map(({ contentId }) => contentId);
}

describe("the words of a text", () => {
  test("without blanks are cut by dictionary", () => {
    expect(cut("在启动水泵之前关闭阀门")).toEqual(["在", "启动", "水泵", "之前", "关闭", "阀门"]);
    expect(cut("ポンプの弁を閉じる")).toEqual(["ポンプ", "の", "弁", "を", "閉じる"]);
    expect(cut("ปิดวาล์วก่อนเติมน้ำ")).toEqual(["ปิด", "วาล์ว", "ก่อน", "เติม", "น้ำ".normalize("NFKC")]);
  });

  test("of a code are its parts and the whole", () => {
    expect(cut("error E-4711 in max_results v2.10")).toEqual(
      expect.arrayContaining(["e4711", "4711", "maxresults", "max", "results", "v210"]),
    );
    expect(cut("getUserById")).toEqual(["getuserbyid", "get", "user", "by", "id"]);
  });

  test("are no data: a run of letters that no user would type is left out", () => {
    expect(cut(`before ${"QUJD".repeat(40)} after`)).toEqual(["before", "after"]);
  });

  test.each([
    ["de", "Wie schließe ich das Ventil, bevor die Pumpe gefüllt wird?"],
    ["en", "How do I close the valve before the pump is primed?"],
    ["fr", "Comment fermer la vanne avant que la pompe ne soit amorcée, et pour quoi ?"],
    ["en", "Mirrors: https://one.example.com https://two.example.com https://three.example.com"],
    ["en", `${"var cors = require; ".repeat(12)} for`],
    ["en", `${"Accept: es; ".repeat(20)} en`],
    ["de", "Der Motor ist defekt"],
    ["ru", "Как закрыть клапан и что для этого нужно, если насос не работает?"],
  ])("show its language: %s", (language, text) => expect(detectLanguage(text)).toBe(language));
});

describe("a search by words", () => {
  test.each([
    [
      "other forms",
      "closing valves",
      ["Close the valve before priming the pump.", "Rinse the filter weekly."],
    ],
    [
      "accents that were not typed",
      "deploiement",
      ["Le déploiement est dans la région de Paris.", "La pompe."],
    ],
    ["sharp s", "schliessen", ["Das Ventil muss man vor dem Start schließen.", "Der Filter ist sauber."]],
    [
      "a code written in another way",
      "E4711",
      ["Der Fehler E-4711 ist behoben.", "Der Fehler E-4712 nicht."],
    ],
    ["a number", "4711", ["Der Fehler E-4711 ist behoben.", "Der Fehler E-4712 nicht."]],
    ["Chinese", "阀门 水泵", ["在启动水泵之前关闭阀门。", "每周清洗过滤器。"]],
    ["Japanese", "弁を閉じる", ["ポンプを始動する前に弁を閉じる。", "フィルターを毎週すすぐ。"]],
    ["Thai", "วาล์ว", ["ปิดวาล์วก่อนเติมน้ำ", "ล้างตัวกรองทุกสัปดาห์"]],
    [
      "the end of a compound",
      "Ventil",
      ["Das Sicherheitsventil ist auf dem Dach.", "Der Filter ist im Keller."],
    ],
    [
      "the halves of a compound",
      "Pumpenventil",
      ["Das Ventil an der Pumpe ist zu.", "Der Filter ist im Keller."],
    ],
  ])("finds %s", async (_what, query, texts) => {
    expect((await found([await partOf(texts)], query))[0]).toBe("0");
  });

  test("puts the chunk with all of the words before one with one of them often", async () => {
    const part = await partOf(["pump pump pump pump", "the pump has a valve", "valve valve"]);
    expect((await found([part], "pump valve"))[0]).toBe("1");
  });

  const others = (count: number, words: string) =>
    Array.from({ length: count }, (_, i) => `${words} of machine ${i}`);
  test.each<[cause: string, query: string, answer: string | WordedText, others: (string | WordedText)[]]>([
    [
      "a word that is only in compounds is as frequent as they are",
      "Ventil Garantie",
      "Die Garantie endet nach zwei Jahren.",
      [...Array.from({ length: 12 }, (_, i) => `Der Ventilraum ${i} ist bei Ventilhaus und Ventilhalle.`)],
    ],
    [
      "a common word decides between chunks that have all the others",
      "log in",
      "Log in at the gate.",
      ["Log out at the gate."],
    ],
    [
      "a rare word outweighs several frequent ones",
      "keep answers in sqlite, second request",
      "The store of the machine uses sqlite now.",
      [...others(36, "Keep answers for a request"), ...others(23, "Oil the bearing")],
    ],
    [
      "what a chunk is about is in its heading",
      "rotation",
      { heading: "Rotation", text: "Rotation\n\nA tool of the system moves the file once it is large." },
      ["Rotation here, rotation there: the tool knows it, and the system moves the file once it is large."],
    ],
    [
      "what stands behind an apostrophe is no word that is looked for",
      "the pump's valve",
      "The pump has a valve.",
      ["This is the pump's oil, the pump's filter and the pump's cover."],
    ],
    [
      "a later chunk of a section has its heading's words",
      "rotation",
      { heading: "Rotation", text: "A tool of the system moves the file." },
      ["A tool of the system mentions rotation of the file."],
    ],
  ])("puts the answer first: %s", async (_cause, query, answer, distracting) => {
    const first = (await found([await partOf([...distracting, answer])], query))[0];
    expect(first).toBe(String(distracting.length));
  });

  test("shows another content before a further chunk of the same one that has as much", async () => {
    const counted = await countWords(
      ["pump and valve and pump", "a valve and a pump here", "the pump beside some valve of it"].map(
        (text) => ({ text }),
      ),
    );
    const chunks = counted.map(({ counts }, i) => ({
      content: { id: i < 2 ? "manual" : "letter", hash: "h", owner: null },
      position: i + 1,
      counts,
    }));
    const part = openPart(packPart(chunks, ["en"]));
    const { hits } = rankParts([part], await queryWords("pump valve", ["en"]), undefined, 2);
    expect(hits).toMatchObject([{ contentId: "manual", position: 1 }, { contentId: "letter" }]);
  });

  test("finds nothing by words that no content has, and nothing by no words", async () => {
    const part = await partOf(["Close the valve."]);
    expect(await found([part], "zeppelin")).toEqual([]);
    expect(await found([part], " … ")).toEqual([]);
    expect(await found([], "valve")).toEqual([]);
  });

  test("shows a user the shared contents and their own", async () => {
    const parts = [
      await partOf(["valve"]),
      await partOf(["valve"], "mia", 1),
      await partOf(["valve"], "tom", 2),
    ];
    expect((await found(parts, "valve", "mia")).toSorted()).toEqual(["0", "1"]);
    expect(await found(parts, "valve", null)).toEqual(["0"]);
    expect((await found(parts, "valve", undefined)).toSorted()).toEqual(["0", "1", "2"]);
  });

  test("finds the same in parts as in one of them all", async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `valve ${i} pump ${i % 7} ${"filter ".repeat(i % 5)}`);
    const parts = await Promise.all(
      [0, 20, 40].map((from) => partOf(texts.slice(from, from + 20), null, from)),
    );
    const merged = openPart(mergeParts(parts, () => true) ?? new Uint8Array());
    for (const query of ["filter", "valve 17", "pump 3 filter", "41"])
      expect(await found([merged], query)).toEqual(await found(parts, query));
  });

  test("finds nothing of what a merge left out, nor a chunk twice that was in two parts", async () => {
    const part = await partOf(["valve one", "valve two"]);
    const merged = openPart(mergeParts([part, part], ({ id }) => id === "1") ?? new Uint8Array());
    expect(merged.chunks).toBe(1);
    expect(await found([merged], "valve one two")).toEqual(["1"]);
    expect(await found([part, part], "two")).toEqual(["1"]);
    expect(mergeParts([part], () => false)).toBeUndefined();
  });
});

describe("chunks that were found", () => {
  const apart = {
    text: "The pump stands in a hall far from every gate and window, left of the valve.",
    score: 1,
  };
  const near = {
    text: "The hall has a gate, a window, and in the far corner a valve of the pump.",
    score: 0.95,
  };
  const phrase = {
    text: "Left of the gate, far from every window, stands in the hall a pump valve.",
    score: 0.9,
  };
  const weighed = async (query: string) =>
    (await queryWords(query, ["en"])).map((word) => ({ ...word, weight: 1 }));

  test("come in the order of how close the wanted words stand: as a phrase, in a passage, apart", async () => {
    expect(await closerFirst([apart, near, phrase], await weighed("the valves of pumps"))).toEqual([
      phrase,
      near,
      apart,
    ]);
  });

  test("keep their order where one word is wanted, or they have the same ones as close", async () => {
    expect(await closerFirst([apart, near, phrase], await weighed("the pump"))).toEqual([
      apart,
      near,
      phrase,
    ]);
    const twice = [apart, { ...apart }];
    expect((await closerFirst(twice, await weighed("pump valve")))[0]).toBe(apart);
  });
});

describe("rankings", () => {
  test("together put first what both have, and follow their weights", () => {
    const near = ["a", "b", "c"];
    const worded = ["c", "d"];
    expect(
      fuseRanks([
        { keys: near, weight: 1 },
        { keys: worded, weight: 1 },
      ])[0],
    ).toBe("c");
    expect(
      fuseRanks([
        { keys: near, weight: 5 },
        { keys: worded, weight: 0.1 },
      ])[0],
    ).toBe("a");
    expect(
      fuseRanks([
        { keys: near, weight: 0 },
        { keys: worded, weight: 1 },
      ]),
    ).toEqual(["c", "d"]);
  });
});
