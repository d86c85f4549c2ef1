using MqttCheck.Learning.Replay;

namespace MqttCheck.Learning.Learners;

/// <summary>The learners there are.</summary>
internal static class LearnerCatalogue
{
    /// <summary>All learners that learn a model of their own.</summary>
    public static IReadOnlyList<ILearner> All { get; } =
    [
        new BinnedQuantilesLearner(),
        new QueueLearner(),
        new NearestNeighboursLearner(),
        new QuantileRegressionLearner(),
        new LogNormalMixtureLearner(),
        new LeastSquaresLearner(),
        new PaperRegressionLearner(),
    ];

    /// <summary>
    /// The learners that compete when the user names none, those first that have proved themselves on more brokers. The
    /// two with normal laws do not: latencies are skewed and bounded below.
    /// </summary>
    public static IReadOnlyList<ILearner> Candidates { get; } = [.. All.Take(5)];

    /// <summary>The learner that is used when the user names none.</summary>
    public static ILearner Default { get; } = new ReplayLearner();

    /// <summary>Everything that a user can name.</summary>
    public static IReadOnlyList<ILearner> Named { get; } = [Default, .. All];

    /// <summary>The learner with the given name.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="InputException">There is no such learner; the message lists those there are.</exception>
    public static ILearner ByName(string name) =>
        Named.FirstOrDefault(learner => learner.Name == name)
        ?? throw new InputException(
            $"learner \"{name}\" given; allowed: {string.Join(", ", Named.Select(learner => learner.Name))}"
        );
}
