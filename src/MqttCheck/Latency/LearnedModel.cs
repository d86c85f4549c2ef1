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
    /// The usage has what the model has never seen, such as a kind of message or a quality of service.
    /// </exception>
    public IReadOnlyList<string> Extrapolations(Population population, int clients)
    {
        return
        [
            .. TrainingRange.Admitted(this, population, clients, beyond: false).Select(finding => finding.Sentence),
        ];
    }

    /// <summary>
    /// The behaviour of the clients in training; null where it is not known. A model file that does not say it may name
    /// built-in profiles, whose behaviour is known.
    /// </summary>
    internal TrainingSeen? Seen => Training.Profile is { } profile ? profile.Seen ?? OfBuiltIn(profile) : null;

    private TrainingSeen? OfBuiltIn(TrainingProfile training)
    {
        if (training.Names.Count == 0 || training.Names.Except(ProfileFile.BuiltInNames).Any())
            return null;
        int[] clients = [Ranges.Smallest?.Clients ?? Ranges.Clients, Ranges.Clients];
        var seen = TrainingSeen.Of([.. training.Names.Select(name => new AskedFleet(ProfileFile.Read(name), clients))]);
        // An exploration varies the waits of a profile, so the file says them itself. Built-in profiles have one wait.
        return training.MeanWaitMilliseconds is { } waits ? seen with { WaitMilliseconds = waits } : null;
    }

    /// <summary>
    /// The most exchanges per second that clients offer: waiting alone bounds it from above, latencies lower it.
    /// Infinite for clients that do not wait. With stages it is that of the busiest.
    /// </summary>
    /// <param name="population">The usage.</param>
    /// <param name="clients">The number of clients.</param>
    public static double OfferedLoad(Population population, int clients)
    {
        var loads = population
            .Groups.Select(group =>
            {
                // A sequence is followed by at most three exchanges of the reset, without waiting.
                var profile = group.Profile;
                var mean = profile.IsScripted
                    ? ClientLife.Of(profile).MeanWaitMilliseconds
                    : profile.WaitMilliseconds.Mean;
                var wait = mean / profile.LargestLoad;
                return (profile.SequenceLength + 3) * 1000 / (profile.SequenceLength * wait);
            })
            .ToArray();
        return population.Assign(clients).Sum(group => loads[group]);
    }
}
