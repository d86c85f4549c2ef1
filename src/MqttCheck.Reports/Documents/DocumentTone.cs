namespace MqttCheck.Reports.Documents;

/// <summary>How good a statement is for whoever asked; always beside words, never instead of them.</summary>
public enum DocumentTone
{
    /// <summary>Neither good nor bad.</summary>
    Plain,

    /// <summary>What was hoped for.</summary>
    Good,

    /// <summary>What was feared.</summary>
    Bad,

    /// <summary>Something to know.</summary>
    Warning,
}
