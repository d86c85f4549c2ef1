namespace MqttCheck.Reports.Formats;

/// <summary>What became of a case.</summary>
public enum CaseOutcome
{
    /// <summary>What was asked holds.</summary>
    Passed,

    /// <summary>It does not hold.</summary>
    Failed,

    /// <summary>Not known.</summary>
    Skipped,

    /// <summary>The broker or the environment failed.</summary>
    Error,
}
