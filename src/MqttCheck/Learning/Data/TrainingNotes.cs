using System.Collections.Immutable;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Nagle;

namespace MqttCheck.Learning.Data;

/// <summary>Warnings about training data that concern every learner.</summary>
internal static class TrainingNotes
{
    private static readonly (string Name, Func<ExchangeFeatures, double> Value)[] Features =
    [
        ("clients online", features => features.Online),
        ("subscriptions", features => features.TotalSubscriptions),
        ("recent activity", features => features.RecentActivity),
    ];

    /// <summary>
    /// The notes: kinds that are missing, features or latencies that never change, clocks that are too coarse.
    /// </summary>
    /// <param name="rows">The successful exchanges.</param>
    public static IReadOnlyList<string> On(ImmutableArray<TrainingRow> rows)
    {
        var seen = new bool[MessageKinds.Count];
        var (load, deliveries, latencies, zeros) = (false, false, false, 0);
        foreach (ref readonly var row in rows.AsSpan())
        {
            seen[(int)row.Features.Kind] = true;
            load |= row.Features.Active > 1;
            deliveries |= row.Features.Subscribers > 0;
            latencies |= row.LatencyMilliseconds != rows[0].LatencyMilliseconds;
            if (row.LatencyMilliseconds == 0)
                zeros++;
        }
        var missing = Enum.GetValues<MessageKind>()
            .Where(kind => !seen[(int)kind])
            .Select(kind => kind.Name())
            .ToList();
        var constant = Features
            .Where(feature => rows.All(row => feature.Value(row.Features) == feature.Value(rows[0].Features)))
            .Select(feature => feature.Name)
            .ToList();
        var (names, them) = (string.Join(", ", missing), missing.Count > 1 ? "them" : "it");
        return OptionChecks.Unmet([
            (missing.Count == 0, $"No successful {names} in the log: the model cannot predict {them}."),
            (load, $"No two exchanges were open at once: the model knows nothing of load."),
            (deliveries, $"No topic had a subscriber online: the model knows nothing of deliveries."),
            (
                constant.Count == 0,
                $"Never changed in the log: {string.Join(", ", constant)}; the model knows nothing of their effect."
            ),
            (latencies || zeros > 0, $"All latencies are {rows[0].LatencyMilliseconds} ms: they depend on nothing."),
            (zeros == 0, $"{zeros} exchanges have the latency 0: the clock was too coarse for them."),
        ]);
    }

    /// <summary>Explains the effect of deliveries that are kept back.</summary>
    /// <param name="held">How deliveries are kept back.</param>
    public static string On(NagleDeliveries held)
    {
        return string.Create(
                CultureInfo.InvariantCulture,
                $"{held.Share:0.00} of the publications to a receiver that withholds an acknowledgement "
            ) + "waited for it: the broker leaves Nagle's algorithm on. The simulation lets them wait.";
    }
}
