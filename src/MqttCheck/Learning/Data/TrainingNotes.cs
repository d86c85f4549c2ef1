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
        var notes = new List<string>();
        var missing = Enum.GetValues<MessageKind>()
            .Where(kind => !seen[(int)kind])
            .Select(kind => kind.Name())
            .ToList();
        if (missing.Count > 0)
            notes.Add(
                $"No successful {string.Join(", ", missing)} in the log: the "
                    + $"model cannot predict {(missing.Count > 1 ? "them" : "it")}."
            );
        if (!load)
            notes.Add("No two exchanges were open at once: the model knows nothing of load.");
        if (!deliveries)
            notes.Add("No topic had a subscriber online: the model knows nothing of deliveries.");
        var constant = Features
            .Where(feature => rows.All(row => feature.Value(row.Features) == feature.Value(rows[0].Features)))
            .Select(feature => feature.Name)
            .ToList();
        if (constant.Count > 0)
            notes.Add(
                $"Never changed in the log: {string.Join(", ", constant)}; the model knows nothing of their effect."
            );
        if (!latencies && zeros == 0)
            notes.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"All latencies are {rows[0].LatencyMilliseconds} ms: they depend on nothing."
                )
            );
        if (zeros > 0)
            notes.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{zeros} exchanges have the latency 0: the clock was too coarse for them."
                )
            );
        return notes;
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
