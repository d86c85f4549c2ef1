namespace MqttCheck.Clusters.Properties.Pairs;

/// <summary>The kinds of statements about two clusters.</summary>
internal enum PairStatementKind
{
    /// <summary>A measure of the first, divided by that of the second.</summary>
    Ratio,

    /// <summary>A measure of the first, less that of the second.</summary>
    Difference,

    /// <summary>A property of the first alone.</summary>
    First,

    /// <summary>A property of the second alone.</summary>
    Second,
}
