namespace MqttCheck.Cli.Results;

/// <summary>A form in which results are written.</summary>
internal enum ReportFormat
{
    /// <summary>One page.</summary>
    Html,

    /// <summary>Markdown of GitHub's dialect.</summary>
    Markdown,

    /// <summary>For programs.</summary>
    Json,

    /// <summary>JUnit XML.</summary>
    JUnit,

    /// <summary>Annotations of GitHub Actions.</summary>
    GitHub,
}
