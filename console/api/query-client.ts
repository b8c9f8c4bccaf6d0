import { QueryClient } from "@tanstack/react-query";
import { PlatformError } from "../../client/index.ts";

const MOST_RETRIES = 4;

/** What the page knows of the platform. It asks again by itself where the fault may pass, and never in a hidden tab. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      refetchIntervalInBackground: false,
      retry: (count, error) => isPassing(error) && count < MOST_RETRIES,
      retryDelay: (count, error) => waitOf(error) ?? Math.min(500 * 2 ** count, 8_000),
    },
    mutations: { retry: false },
  },
});

/** Refusals stay what they are; a lost connection, a limit or a fault of the service may pass. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof PlatformError) || error.status === 429 || error.status >= 500;

const waitOf = (error: unknown): number | undefined =>
  error instanceof PlatformError && error.retryAfter !== undefined ? error.retryAfter * 1000 : undefined;
