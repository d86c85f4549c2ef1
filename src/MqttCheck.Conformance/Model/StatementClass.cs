namespace MqttCheck.Conformance.Model;

/// <summary>How binding a statement of the standard is.</summary>
public enum StatementClass : byte
{
    /// <summary>The standard says MUST or MUST NOT.</summary>
    Must,

    /// <summary>The standard recommends it.</summary>
    Should,

    /// <summary>The standard leaves it to the implementation.</summary>
    Option,

    /// <summary>It follows from how the broker is set up.</summary>
    Configuration,
}
