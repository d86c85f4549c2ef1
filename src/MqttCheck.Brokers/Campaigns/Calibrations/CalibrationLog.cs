using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>
/// Reads the measurements of a calibration from its log. They can then be predicted again with other learners or other
/// code.
/// </summary>
internal static class CalibrationLog
{
    /// <summary>
    /// The measured setups of a log. Only valid and complete runs of verified setups count, grouped by population,
    /// number of clients and sequences.
    /// </summary>
    /// <param name="log">The log.</param>
    /// <exception cref="InputException">The log holds no such runs.</exception>
    public static IReadOnlyList<MeasuredSetup> Setups(ExchangeLog log)
    {
        var runs = log
            .Information.Cases.Where(run =>
                run
                    is {
                        Purpose: RunPurpose.Verify,
                        Complete: true,
                        Population: not null,
                        MessagesPerClient: not null,
                        Health: null or { IsValid: true }
                    }
            )
            .ToArray();
        if (runs.Length == 0)
            throw new InputException(
                $"log \"{log.Source}\": no whole and valid runs that measure setups; allowed: a log that "
                    + "`mqttcheck calibrate` wrote, with its .run.json file beside it"
            );
        var worst = Worst(log);
        return
        [
            .. runs.GroupBy(run =>
                    (
                        run.Population!.Name,
                        run.Clients,
                        Sequences: run.MessagesPerClient!.Value
                            / run.Population.Groups.Max(group => group.Profile.SequenceLength)
                    )
                )
                .Select(setup => new MeasuredSetup(
                    new(setup.First().Population!, setup.Key.Clients, setup.Key.Sequences),
                    [.. setup.Where(run => worst.ContainsKey(run.Run)).Select(run => worst[run.Run])]
                )),
        ];
    }

    // The worst latency of each sequence that ended, by run. A failed sequence was not in time, whatever the threshold.
    private static Dictionary<int, double[]> Worst(ExchangeLog log) =>
        log
            .Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
            .GroupBy(exchange => exchange.Run)
            .ToDictionary(
                run => run.Key,
                run =>
                    run.GroupBy(exchange => (exchange.Client, exchange.Sequence))
                        .Where(sequence => sequence.All(exchange => exchange.Outcome != ExchangeOutcome.Cancelled))
                        .Select(sequence =>
                            sequence.All(exchange => exchange.Outcome == ExchangeOutcome.Success)
                                ? sequence.Max(exchange => exchange.LatencyMilliseconds)
                                : double.PositiveInfinity
                        )
                        .ToArray()
            );
}
