namespace MqttCheck.Reports.Input;

/// <summary>A learned latency model and how well it describes exchanges that it was not learned from.</summary>
public sealed record LearningReport
{
    /// <summary>Name of the learner.</summary>
    public required string Learner { get; init; }

    /// <summary>The method of the learner, in one sentence.</summary>
    public string Description { get; init; } = "";

    /// <summary>Number of exchanges that the model was learned from.</summary>
    public long TrainingExchanges { get; init; }

    /// <summary>The usage profiles that training was derived from; empty when not known.</summary>
    public IReadOnlyList<string> Profiles { get; init; } = [];

    /// <summary>Number of exchanges kept back to judge it.</summary>
    public long HeldOutExchanges { get; init; }

    /// <summary>Number of parameters (of a table: of filled cells); null when not known.</summary>
    public int? Parameters { get; init; }

    /// <summary>The range of each feature in training; predictions beyond it are extrapolations.</summary>
    public IReadOnlyList<FeatureRange> Ranges { get; init; } = [];

    /// <summary>The learners that were compared; empty when there was no choice.</summary>
    public IReadOnlyList<CandidateReport> Candidates { get; init; } = [];

    /// <summary>The regression that the model is made of; null where it is not made of one.</summary>
    public RegressionReport? Regression { get; init; }

    /// <summary>Quality of fit for each kind of message.</summary>
    public IReadOnlyList<FitReport> Fits { get; init; } = [];

    /// <summary>How the held-out exchanges fall into the model's own quantiles; null when not known.</summary>
    public CalibrationReport? Calibration { get; init; }

    /// <summary>
    /// Held-out training cases whose simulation did not come to an end, so that they are not in
    /// <see cref="CalibrationReport.Quantiles"/>.
    /// </summary>
    public int Runaways { get; init; }
}
