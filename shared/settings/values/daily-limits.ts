/** Settings that limit what may be spent in a day (UTC); 0 switches one off. */
export type DailyLimitSettings = {
  readonly DAILY_TOKENS_PER_USER: number;
  readonly DAILY_COST_PER_USER: number;
  readonly DAILY_TOKENS_PER_DEPLOYMENT: number;
  readonly DAILY_COST_PER_DEPLOYMENT: number;
};

/** Tokens and dollars, as far as they are limited. */
type DailyLimits = { readonly tokens?: number; readonly cost?: number };

/** The limits that are set for each user and for all together; undefined where neither tokens nor dollars are limited. */
export const dailyLimits = (settings: DailyLimitSettings) => ({
  user: limitsFrom(settings.DAILY_TOKENS_PER_USER, settings.DAILY_COST_PER_USER),
  deployment: limitsFrom(settings.DAILY_TOKENS_PER_DEPLOYMENT, settings.DAILY_COST_PER_DEPLOYMENT),
});

const limitsFrom = (tokens: number, cost: number): DailyLimits | undefined =>
  tokens === 0 && cost === 0 ? undefined : { ...(tokens > 0 && { tokens }), ...(cost > 0 && { cost }) };
