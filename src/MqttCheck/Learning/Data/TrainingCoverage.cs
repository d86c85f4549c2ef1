using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Learning.Data;

/// <summary>Computes the range of loads in training data, and the behaviour of their clients.</summary>
internal static class TrainingCoverage
{
    /// <summary>The loads.</summary>
    /// <param name="data">The data.</param>
    public static ModelRanges Ranges(TrainingData data)
    {
        var active = data.Rows.Select(row => row.Features.Active).ToList();
        var subscribers = data.Rows.Max(row => row.Features.Subscribers);
        // Most other exchanges have no topic, so no subscribers either.
        var published = data.Rows.Where(row => row.Features.Kind == MessageKind.Publish);
        return new(
            data.Runs.Max(run => run.Clients),
            active.Max(),
            subscribers,
            data.Runs.Max(run => run.MessagesPerSecond)
        )
        {
            OfferedPerSecond = Offered(data),
            Smallest = new(
                data.Runs.Min(run => run.Clients),
                active.Min(),
                published.Select(row => row.Features.Subscribers).DefaultIfEmpty(subscribers).Min(),
                data.Runs.Min(run => run.MessagesPerSecond)
            ),
        };
    }

    // Clients that do not wait offer an infinite load, which says nothing of another.
    private static double? Offered(TrainingData data) =>
        data
            .Runs.Where(run => run.Population is not null)
            .Select(run => (double?)LearnedModel.OfferedLoad(run.Population!, run.Clients))
            .Where(load => load < double.PositiveInfinity)
            .Max();

    /// <summary>The behaviour of the clients.</summary>
    /// <param name="data">The data.</param>
    public static TrainingProfile Profile(TrainingData data)
    {
        var profiles = data
            .Runs.Where(run => run.Population is not null)
            .SelectMany(run => run.Population!.Groups)
            .Select(group => group.Profile)
            .ToList();
        int[][] counts = [.. data.Runs.Select(_ => new int[MessageKinds.Count])];
        foreach (ref readonly var row in data.Rows.AsSpan())
            counts[row.Run][(int)row.Features.Kind]++;
        var seen = counts.Where(run => run.Sum() > 0).ToList();
        return new(
            [.. profiles.Select(profile => profile.Name).Distinct().Order(StringComparer.Ordinal)],
            profiles.Count == 0
                ? null
                : new(
                    profiles.Min(profile => profile.WaitMilliseconds.Mean),
                    profiles.Max(profile => profile.WaitMilliseconds.Mean)
                ),
            profiles.Count == 0
                ? null
                : new(profiles.Min(profile => profile.SequenceLength), profiles.Max(profile => profile.SequenceLength)),
            [
                .. Enumerable
                    .Range(0, MessageKinds.Count)
                    .Select(kind => new Interval(seen.Min(run => Share(run, kind)), seen.Max(run => Share(run, kind)))),
            ]
        )
        {
            Packets = Packets(profiles),
            // A case of unknown clients may have been anything.
            Seen = data.Runs.All(run => run.Population is not null)
                ? TrainingSeen.Of([.. data.Runs.Select(run => new AskedFleet(run.Population!, [run.Clients]))])
                : null,
        };
    }

    // One of each; none where all are as by default.
    private static List<IReadOnlyDictionary<string, string>> Packets(List<UsageProfile> profiles)
    {
        var sets = profiles.Select(PacketKeys.Of).DistinctBy(PacketKeys.TextOf).OrderBy(PacketKeys.TextOf).ToList();
        return sets.All(set => set.Count == 0) ? [] : sets;
    }

    private static double Share(int[] counts, int kind) => Math.Round((double)counts[kind] / counts.Sum(), 4);
}
