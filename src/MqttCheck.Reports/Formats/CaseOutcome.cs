namespace MqttCheck.Reports.Formats;

/// <summary>The outcomes of a case.</summary>
public enum CaseOutcome
{
    /// <summary>The required statement holds.</summary>
    Passed,

    /// <summary>It does not hold.</summary>
    Failed,

    /// <summary>Not known.</summary>
    Skipped,

    /// <summary>The broker or the environment failed.</summary>
    Error,
}
