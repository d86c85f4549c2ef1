using MqttCheck.Testing.Requirements;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that the traces of the clients fulfil a property of the text language with a probability or more. A
/// trace is the sequence of a client, or as many of them as the formula looks at. One-sided: a broker that is better
/// passes.
/// </summary>
public sealed class PropertyConstraint : OneSidedConstraint<PropertyConstraint, PropertyRequirement>
{
    internal PropertyConstraint(PropertyRequirement requirement)
        : base(requirement) { }
}
