namespace MqttCheck.Learning;

/// <summary>The learners there are.</summary>
public static class Learners
{
    /// <summary>All learners; the first is the default.</summary>
    public static IReadOnlyList<ILearner> All { get; } = 
    [
        new BinnedQuantilesLearner(), new NearestNeighboursLearner(), new LogNormalMixtureLearner(), new QuantileRegressionLearner(), new QueueLearner(),
        new LeastSquaresLearner(), new PaperRegressionLearner(),
    ];

    /// <summary>The learners that compete when the user names none. The two with normal laws do not: latencies are skewed and bounded below.</summary>
    public static IReadOnlyList<ILearner> Candidates { get; } = [.. All.Take(5)];

    /// <summary>The learner that is used when the user names none.</summary>
    public static ILearner Default => All[0];

    /// <summary>The learner with the given name.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="InputException">There is no such learner; the message lists those there are.</exception>
    public static ILearner ByName(string name) => All.FirstOrDefault(learner => learner.Name == name)
        ?? throw new InputException($"learner \"{name}\" given; allowed: {string.Join(", ", All.Select(learner => learner.Name))}");
}
