import type { Plugin } from "esbuild";

/**
 * Leaves out what the MCP client loads to sign in by OAuth, which the platform's does not: it would have functions that use a part of
 * `jose` read the whole of it to start.
 */
export const withoutSignIn: Plugin = {
  name: "without-sign-in",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^jose$/ }, ({ importer }) =>
      /[/\\]@modelcontextprotocol[/\\]client[/\\]/.test(importer)
        ? { path: "jose", namespace: "without-sign-in" }
        : undefined,
    );
    const contents = 'throw new Error("The MCP client does not sign in by OAuth here.");';
    onLoad({ filter: /.*/, namespace: "without-sign-in" }, () => ({ contents }));
  },
};
