using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Checking;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>Whether the load generator had time to spare; where it had not, what was measured is generator and broker together.</summary>
public static class GeneratorLoad
{
    /// <summary>Whether the generator was too busy in a run, see <see cref="RunHealth.LargestCpuShare"/>.</summary>
    /// <param name="run">The run.</param>
    public static bool IsTooHigh(FleetRunResult run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run.Health.IsOverloaded;
    }

    /// <summary>Takes back a verdict on runs that the generator spoiled.</summary>
    /// <param name="verdict">The verdict.</param>
    /// <param name="spoiled">How many of its runs it spoiled.</param>
    /// <returns>The verdict, or no verdict with the reason.</returns>
    public static Verdict Judge(Verdict verdict, int spoiled)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        return spoiled == 0 || !verdict.IsDecided ? verdict : verdict with
        {
            Kind = VerdictKind.Withheld,
            DecidedAfterRuns = null,
            Reason = string.Create(CultureInfo.InvariantCulture,
                $"In {spoiled} of {verdict.Runs.Count} runs the load generator used more than {RunHealth.LargestCpuShare:0%} of its processor, so what was measured is generator and broker together. Without that: {verdict.Reason}"),
        };
    }
}
