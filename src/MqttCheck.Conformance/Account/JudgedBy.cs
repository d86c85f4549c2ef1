using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Account;

/// <summary>A statement of ours that judges one of the standard, perhaps in one situation only.</summary>
/// <param name="Statement">The statement.</param>
/// <param name="Situation">The situation: a defect, a type of packet or a name; empty for all.</param>
internal readonly record struct JudgedBy(Statement Statement, string Situation)
{
    /// <summary>The name, and the situation behind a slash.</summary>
    public override string ToString() => Situation.Length == 0 ? Statement.Name : $"{Statement.Name}/{Situation}";
}
