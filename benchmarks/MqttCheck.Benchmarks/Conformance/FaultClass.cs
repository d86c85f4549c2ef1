namespace MqttCheck.Benchmarks.Conformance;

/// <summary>Why a faulty broker is tried.</summary>
internal enum FaultClass
{
    /// <summary>An early trial with brokers of others found the check blind to its class.</summary>
    Named,

    /// <summary>One more of those that were tried beside these, from all parts of the standard.</summary>
    Further,

    /// <summary>A later trial found its class beyond the language of scenarios, or beyond the judges.</summary>
    Language,

    /// <summary>A right broker behind somebody who spoils what passes.</summary>
    Spoiled,

    /// <summary>The same, written when the check was finished.</summary>
    Later,
}
