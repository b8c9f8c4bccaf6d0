import manifest from "../../package.json" with { type: "json" };

/** Version of the platform. Bundles have the text alone, and nothing else of the manifest. */
export const version: string = manifest.version;
