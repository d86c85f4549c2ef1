using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Quality;

namespace MqttCheck.Learning.Learners;

/// <summary>The result of a learner.</summary>
/// <param name="Model">The model.</param>
/// <param name="Notes">Remarks for the user: conditions that were hardly seen, regressors that were left out.</param>
internal sealed record FittedModel(LatencyModel Model, IReadOnlyList<string> Notes)
{
    /// <summary>Those of the notes that say not to rely on the model.</summary>
    public IReadOnlyList<string> Cautions { get; init; } = [];

    /// <summary>How well held-out cases were replayed, if the learner looked at that itself.</summary>
    public ReplayQuality? Replay { get; init; }

    /// <summary>Models that replay held-out cases about as well.</summary>
    public IReadOnlyList<LatencyModel> Alternatives { get; init; } = [];

    /// <summary>The regression that the model is made of, if it is made of one.</summary>
    public RegressionTable? Regression { get; init; }

    /// <summary>The candidate models that competed.</summary>
    public IReadOnlyList<CandidateModel> Candidates { get; init; } = [];
}
