using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Quality;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Latency;

/// <summary>
/// A latency model together with where it comes from and what it may be used for: the content of a model file.
/// </summary>
public sealed record LearnedModel
{
    // One client of so many may have been late in training: it was not connected when the others were.
    private const int ClientsPerLateOne = 200;

    /// <summary>The law.</summary>
    public required LatencyModel Model { get; init; }

    /// <summary>The broker it was learned from.</summary>
    public required LoggedBroker Broker { get; init; }

    /// <summary>The machine it was learned on.</summary>
    public required MachineInformation Machine { get; init; }

    /// <summary>A summary of the training data.</summary>
    public required TrainingSummary Training { get; init; }

    /// <summary>The loads it has seen.</summary>
    public required ModelRanges Ranges { get; init; }

    /// <summary>How well it fits held-out cases; null where there were too few cases to hold any out.</summary>
    public FitQuality? Quality { get; init; }

    /// <summary>
    /// How well training cases were replayed that were held out; null where there were too few, or what their clients
    /// did is not known.
    /// </summary>
    public ReplayQuality? Replay { get; init; }

    /// <summary>
    /// Models of other learners that replay held-out cases about as well: where they disagree with <see cref="Model"/>,
    /// nobody knows better.
    /// </summary>
    public IReadOnlyList<LatencyModel> Alternatives { get; init; } = [];

    /// <summary>The learners that competed.</summary>
    public IReadOnlyList<CandidateModel> Candidates { get; init; } = [];

    /// <summary>The regression that the model is made of; null where it is not made of one.</summary>
    public RegressionTable? Regression { get; init; }

    /// <summary>The median latency of the idle broker, measured before training; null where it was not.</summary>
    public double? IdleMilliseconds { get; init; }

    /// <summary>
    /// Names the ranges seen in training that the predicted setup leaves. A reader of the prediction must be told this
    /// first.
    /// </summary>
    /// <param name="population">The predicted usage.</param>
    /// <param name="clients">The predicted number of clients.</param>
    /// <returns>One sentence per excess, none if the setup lies inside.</returns>
    /// <exception cref="InputException">
    /// The usage has a kind of message that the model has never seen, or packets that carry something else.
    /// </exception>
    public IReadOnlyList<string> Extrapolations(Population population, int clients)
    {
        var missing = Enum.GetValues<MessageKind>()
            .Where(kind => Training.ExchangesByKind[(int)kind] == 0 && population.Sends(kind))
            .Select(kind => kind.Name())
            .ToList();
        if (missing.Count > 0)
        {
            throw new InputException(
                $"profile {population.Name}: it sends {string.Join(", ", missing)}, "
                    + "which the model has never seen; allowed: "
                    + string.Join(
                        ", ",
                        Enum.GetValues<MessageKind>()
                            .Where(kind => Training.ExchangesByKind[(int)kind] > 0)
                            .Select(kind => kind.Name())
                    )
            );
        }

        RequireSamePackets(population, clients);
        var result = new List<string>();
        var remedy = $"'{Exploration(population, clients)}' gives a log to learn from that has.";
        if (clients - Ranges.Clients > clients / ClientsPerLateOne)
            result.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{clients} clients of {population.Name} are predicted; "
                        + $"the model has seen at most {Ranges.Clients}. "
                ) + remedy
            );
        var load = OfferedLoad(population, clients);
        if (double.IsInfinity(load))
        {
            result.Add(
                $"Clients of {population.Name} do not wait, so they offer all the load the "
                    + $"broker takes; how much of it the model has seen is not known beforehand."
            );
            return result;
        }
        if (load > Ranges.MessagesPerSecond)
        {
            result.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{clients} clients of {population.Name} offer up to {load:0} "
                        + $"messages/s; the model has seen at most {Ranges.MessagesPerSecond:0}. "
                ) + remedy
            );
        }
        return result;
    }

    private static string Exploration(Population population, int clients) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"mqttcheck explore --profile {population.ReadFrom ?? population.Name} --up-to-clients {clients}"
        );

    // No feature of a latency describes the content of packets, so the model knows nothing of content that training did
    // not send.
    private void RequireSamePackets(Population population, int clients)
    {
        IReadOnlyList<IReadOnlyDictionary<string, string>> seen = Training.Profile?.Packets is { Count: > 0 } known
            ? known
            : [new Dictionary<string, string>()];
        foreach (var profile in population.Groups.Select(group => group.Profile))
        {
            var keys = PacketKeys.Of(profile);
            if (seen.Any(other => PacketKeys.TextOf(other) == PacketKeys.TextOf(keys)))
                continue;
            var learned = seen[0];
            var key = keys
                .Keys.Union(learned.Keys)
                .First(key => keys.GetValueOrDefault(key) != learned.GetValueOrDefault(key));
            throw new InputException(
                $"profile {profile.Name}: \"{key}\": {keys.GetValueOrDefault(key) ?? "nothing"} given; the model was "
                    + $"learned {Learned(key, learned)}, and the latency of other packets is not known; allowed: "
                    + $"{string.Join(" or ", seen.Select(Allowed))}, or a model of this profile: "
                    + $"'{Exploration(population, clients)}' gives a log to learn from"
            );
        }
    }

    private static string Learned(string key, IReadOnlyDictionary<string, string> learned) =>
        learned.TryGetValue(key, out var value) ? $"with {value}" : "without it";

    private static string Allowed(IReadOnlyDictionary<string, string> keys) =>
        keys.Count == 0 ? "a profile without it" : PacketKeys.TextOf(keys);

    /// <summary>
    /// The most exchanges per second that clients offer: waiting alone bounds it from above, latencies lower it.
    /// Infinite for clients that do not wait. With stages it is that of the busiest.
    /// </summary>
    /// <param name="population">The usage.</param>
    /// <param name="clients">The number of clients.</param>
    public static double OfferedLoad(Population population, int clients)
    {
        return population
            .Assign(clients)
            .Sum(group =>
            {
                // A sequence is followed by at most three exchanges of the reset, without waiting.
                var profile = population.Groups[group].Profile;
                var wait = profile.WaitMilliseconds.Mean / profile.LargestLoad;
                return (profile.SequenceLength + 3) * 1000 / (profile.SequenceLength * wait);
            });
    }
}
