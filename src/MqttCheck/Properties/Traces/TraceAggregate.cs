namespace MqttCheck.Properties.Traces;

/// <summary>How the numbers of a trace's messages become one.</summary>
public enum TraceAggregate
{
    /// <summary>The largest.</summary>
    Max,

    /// <summary>The smallest.</summary>
    Min,

    /// <summary>Their mean.</summary>
    Mean,

    /// <summary>Their sum.</summary>
    Sum,

    /// <summary>That of the last message.</summary>
    Last,
}
