/** A language for which a client is generated. */
export type Language = {
  readonly name: string;
  readonly generator: string;
  /** What the guide recommends for it. */
  readonly options: readonly string[];
  /** Commands that must be there, each with arguments that make it say its version. */
  readonly tools: readonly (readonly string[])[];
  /** Commands that compile the client, in its folder. */
  readonly compile: readonly (readonly string[])[];
  /** What a compiler writes for each error. */
  readonly error: RegExp;
};

const tsc = (compiler: string): readonly string[] => [
  process.execPath,
  compiler,
  ...["--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"],
  ...["--lib", "es2022,dom,dom.iterable", "--types", "", "index.ts"],
];

/**
 * The languages.
 *
 * @param folder    where the Python environment `python` is
 * @param compiler  the file of TypeScript's compiler
 */
export const languages = (folder: string, compiler: string): readonly Language[] => [
  {
    name: "Python",
    generator: "python",
    options: [],
    tools: [["python3", "--version"]],
    // Python compiles a module when it is imported, and pydantic builds its models then.
    compile: [
      [`${folder}/environment/bin/python`, "-m", "pip", "install", "--quiet", "."],
      [`${folder}/environment/bin/python`, `${import.meta.dirname}/import_all.py`],
    ],
    error: /^\w*Error: /gm,
  },
  {
    name: "TypeScript",
    generator: "typescript-fetch",
    // Renamed members do not compile in strict mode: the generator narrows a value by one name and reads it by the other.
    options: [
      "--additional-properties",
      "modelPropertyNaming=original",
      "--reserved-words-mappings",
      "function=function,class=class",
    ],
    tools: [],
    compile: [tsc(compiler)],
    error: /error TS\d+/g,
  },
  {
    name: "Go",
    generator: "go",
    options: [],
    tools: [["go", "version"]],
    compile: [["go", "build", "-gcflags=-e", "./..."]],
    error: /^\.?\/?\S+\.go:\d+/gm,
  },
  {
    name: "Java",
    generator: "java",
    options: [],
    tools: [["mvn", "--version"]],
    compile: [["mvn", "--quiet", "--batch-mode", "-Dmaven.test.skip=true", "compile"]],
    error: /^\[ERROR\] \S+\.java:/gm,
  },
];
