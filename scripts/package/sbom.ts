/** A package as `package-lock.json` has it (version 3), by the path of its folder. */
type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
export type Lockfile = { readonly packages: Readonly<Record<string, Locked>> };

/** Licences of packages whose manifest names none in the form that the lockfile takes over; read in their folders. */
const readByHand: Readonly<Record<string, string>> = { busboy: "MIT", streamsearch: "MIT" };

type Product = { readonly name: string; readonly version: string; readonly license: string };

/**
 * The bill of materials of the package: everything that installing it brings, with versions, digests and licences. The same
 * lockfile gives the same text.
 *
 * @param roots  names of the packages that it depends on itself
 * @returns      CycloneDX 1.6, as JSON
 * @throws Error for a package that is not locked, or whose licence is not known
 */
export function sbomOf(product: Product, roots: readonly string[], lockfile: Lockfile): object {
  const paths = reachable(roots, lockfile);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "library", ...component(product.name, product) } },
    components: paths.map((path) => ({
      type: "library",
      "bom-ref": path,
      ...component(nameIn(path), lockfile.packages[path] ?? {}),
    })),
  };
}

function component(name: string, { version, integrity, license }: Locked) {
  const known = license ?? readByHand[name];
  if (version === undefined || known === undefined)
    throw new Error(`version or licence of ${name} is not known: see scripts/package/sbom.ts`);
  const isExpression = / (OR|AND|WITH) /.test(known);
  return {
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [isExpression ? { expression: known } : { license: { name: known } }],
    ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
  };
}

/** `sha512-<base64>` as CycloneDX writes it. */
function hashOf(integrity: string) {
  const [algorithm = "", digest = ""] = integrity.split("-");
  return {
    alg: algorithm.replace("sha", "SHA-"),
    content: Buffer.from(digest, "base64").toString("hex"),
  };
}

/** The folders of all packages that some need, each found as Node.js finds it from where it is needed. */
function reachable(roots: readonly string[], { packages }: Lockfile): string[] {
  const found = new Set<string>();
  const visit = (from: string, name: string, isOptional: boolean): void => {
    const path = resolved(from, name, packages);
    if (path === undefined) {
      if (isOptional) return;
      throw new Error(`${name} is not in package-lock.json`);
    }
    if (found.has(path)) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const one of Object.keys(dependencies)) visit(path, one, one in optionalDependencies);
    for (const one of Object.keys(optionalDependencies)) visit(path, one, true);
  };
  for (const name of roots) visit("", name, false);
  return [...found].toSorted();
}

/** @param from  folder of the package that needs it; "" for the project */
function resolved(from: string, name: string, packages: Lockfile["packages"]): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf("/node_modules/"), 0))) {
    const path = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (path in packages) return path;
    if (at === "") return undefined;
  }
}

const nameIn = (path: string): string =>
  path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
