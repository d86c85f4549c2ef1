namespace MqttCheck.Reports.Documents;

/// <summary>How good a statement is for whoever asked; always beside words, never instead of them.</summary>
internal enum DocumentTone
{
    /// <summary>Neither good nor bad.</summary>
    Plain,

    /// <summary>The result is the desired one.</summary>
    Good,

    /// <summary>The result is the undesired one.</summary>
    Bad,

    /// <summary>Something to know.</summary>
    Warning,
}
