namespace MqttCheck.Cli.Terminal;

/// <summary>How much a command says beside its result.</summary>
internal enum Verbosity
{
    /// <summary>The result, warnings and errors.</summary>
    Quiet,

    /// <summary>Also progress, and a line for each stage.</summary>
    Normal,

    /// <summary>Also details that the report has: plans, single runs, reasons.</summary>
    Verbose,
}
