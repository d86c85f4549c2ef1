namespace MqttCheck.Requirements;

/// <summary>The verdict of a test of a requirement.</summary>
public enum RequirementVerdict
{
    /// <summary>The requirement is met.</summary>
    Met,

    /// <summary>The requirement is violated.</summary>
    Violated,

    /// <summary>Neither can be said with the stated error; the reason says why.</summary>
    Withheld,
}
