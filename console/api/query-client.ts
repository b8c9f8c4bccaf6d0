import { QueryClient } from "@tanstack/react-query";
import { PlatformError } from "../../client/index.ts";
import { connectionNow, onConnection } from "./connection.ts";

const MOST_RETRIES = 4;

/** What the page knows of the platform. It asks again by itself where the fault may pass, and never in a hidden tab. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      refetchIntervalInBackground: false,
      // A platform on this machine is reached without a network; what is lost shows by the request.
      networkMode: "always",
      retry: (count, error) => isPassing(error) && count < MOST_RETRIES,
      retryDelay: (count, error) => waitOf(error) ?? Math.min(500 * 2 ** count, 8_000),
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

/** Refusals stay what they are; a lost connection, a limit or a fault of the service may pass. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof PlatformError) || error.status === 429 || error.status >= 500;

const waitOf = (error: unknown): number | undefined =>
  error instanceof PlatformError && error.retryAfter !== undefined ? error.retryAfter * 1000 : undefined;

// What could not be read while the platform was away is read when it is back.
onConnection(() => {
  if (connectionNow() !== "fine") return;
  void queryClient.refetchQueries({
    type: "active",
    predicate: ({ state }) => state.error !== null || state.fetchFailureCount > 0,
  });
});
