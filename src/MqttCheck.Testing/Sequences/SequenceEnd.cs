namespace MqttCheck.Testing.Sequences;

/// <summary>How a sequence ended.</summary>
public enum SequenceEnd
{
    /// <summary>The action completed.</summary>
    Succeeded,

    /// <summary>The action threw.</summary>
    Threw,

    /// <summary>The action did not complete in the time that the options give.</summary>
    TimedOut,

    /// <summary>The measurement ended first; the sequence says nothing.</summary>
    Cancelled,
}
