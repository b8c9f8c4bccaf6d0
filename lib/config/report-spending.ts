import { Annotations, type Stack } from "aws-cdk-lib";
import { ASSUMED_PRICE } from "../../shared/settings/values/model-prices.ts";
import type { AppConfig } from "./config.ts";

const dollars = (amount: number, whose: string): string =>
  amount === 0 ? `no limit ${whose}` : `$${amount} ${whose}`;

/** Says at each deployment what runs may spend, and where that is set. */
export function reportSpending(stack: Stack, config: AppConfig): void {
  const { stage, daily_cost_per_user, daily_cost_per_deployment, costAlarmUsd, modelPrices } = config;
  if (stage === "local") return;
  const { input_per_million, output_per_million } = ASSUMED_PRICE;
  const assumed = `Models without a price in modelPrices${modelPrices === undefined ? " (none has one)" : ""} count as $${input_per_million} a million tokens of input and $${output_per_million} of output.`;
  const isLimited = daily_cost_per_user > 0 || daily_cost_per_deployment > 0;
  Annotations.of(stack).addInfo(
    `Spending: models may cost ${dollars(daily_cost_per_user, "a user and day (daily_cost_per_user)")}, ` +
      `${dollars(daily_cost_per_deployment, "all users and day (daily_cost_per_deployment)")}; 0 is none. ` +
      (isLimited ? `${assumed} ` : "") +
      (costAlarmUsd === undefined
        ? "Nothing watches what the AWS account costs: set costAlarmUsd."
        : `A budget of AWS watches $${costAlarmUsd} a month.`),
  );
}
