using MqttCheck.Latency.Models;
using MqttCheck.Learning.Learners;
using MqttCheck.Verification;

namespace MqttCheck.App.Runs;

/// <summary>
/// How much a run does: the full one, which fits three minutes, and the quick one, which fits forty seconds and says
/// that it is coarse.
/// </summary>
internal sealed record RunPlan
{
    /// <summary>
    /// The client counts that are predicted unless others are given; the largest is verified, if its prediction is
    /// precise enough to be confirmed.
    /// </summary>
    public static IReadOnlyList<int> Clients { get; } = [50, 100, 200];

    /// <summary>From this time on an exploration is not coarse.</summary>
    public static TimeSpan SoundExploration { get; } = TimeSpan.FromSeconds(45);

    /// <summary>How long to explore.</summary>
    public required TimeSpan Exploration { get; init; }

    /// <summary>How long all verification runs may take.</summary>
    public required TimeSpan Verification { get; init; }

    /// <summary>
    /// The smallest number of runs per setup; more, shorter ones are planned where they give a verdict sooner.
    /// </summary>
    public required int Runs { get; init; }

    /// <summary>The error of all verdicts together.</summary>
    public required double Error { get; init; }

    /// <summary>The indifference.</summary>
    public required double Indifference { get; init; }

    /// <summary>The learner.</summary>
    public required ILearner Learner { get; init; }

    /// <summary>Whether what comes out is marked as coarse.</summary>
    public bool Coarse { get; init; }

    /// <summary>The full run.</summary>
    public static RunPlan Full { get; } =
        new()
        {
            Exploration = TimeSpan.FromSeconds(60),
            Verification = TimeSpan.FromSeconds(92),
            Runs = VerificationPlan.RunsThatShowHalf(new() { Error = .01 }),
            Error = .01,
            Indifference = .1,
            Learner = LearnerCatalogue.Default,
        };

    /// <summary>
    /// A comparison of two brokers, which fits three minutes: both are explored, and compared in many runs. The models
    /// only choose thresholds, so a short exploration is enough. Its time is for each broker.
    /// </summary>
    public static RunPlan Comparison { get; } =
        Full with
        {
            Exploration = TimeSpan.FromSeconds(15),
            Verification = TimeSpan.FromSeconds(120),
            Runs = 8,
            Error = .05,
            Coarse = true,
        };

    /// <summary>The quick run.</summary>
    public static RunPlan Quick { get; } =
        new()
        {
            Exploration = TimeSpan.FromSeconds(10),
            Verification = TimeSpan.FromSeconds(22),
            Runs = 3,
            Error = .1,
            Indifference = .15,
            // A short log does not tell learners apart, and comparing them takes longer than exploring did.
            Learner = LearnerCatalogue.ByName(BinnedQuantilesModel.KindName),
            Coarse = true,
        };

    /// <summary>The quick comparison; its time is for each broker.</summary>
    public static RunPlan QuickComparison { get; } = Quick with { Verification = TimeSpan.FromSeconds(40), Runs = 5 };

    /// <summary>The same with another time to explore; a short one makes what comes out coarse.</summary>
    /// <param name="exploration">The time, or null for that of the plan.</param>
    public RunPlan ExploringFor(TimeSpan? exploration) =>
        exploration is { } time ? this with { Exploration = time, Coarse = Coarse || time < SoundExploration } : this;
}
