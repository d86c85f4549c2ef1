namespace MqttCheck.Automata.Networks;

/// <summary>The types of variables.</summary>
public enum VariableType
{
    /// <summary>A truth value, 1 or 0.</summary>
    Boolean,

    /// <summary>An integer.</summary>
    Integer,

    /// <summary>A real number.</summary>
    Real,

    /// <summary>The time since it was last set to 0, in the network's unit of time.</summary>
    Clock,
}
