using MqttCheck.Testing;
using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit;

/// <summary>
/// The result of a constraint of several lines. It writes its lines where combined constraints (<c>&amp;</c>) look for
/// them too.
/// </summary>
/// <param name="constraint">The constraint.</param>
/// <param name="value">The value that the constraint was applied to.</param>
/// <param name="decision">The decision about the value.</param>
internal sealed class DecisionResult(IConstraint constraint, object value, Decision decision)
    : ConstraintResult(constraint, value, decision.IsMet)
{
    public override void WriteActualValueTo(MessageWriter writer) => writer.Write(decision.Actual);

    public override void WriteAdditionalLinesTo(MessageWriter writer)
    {
        foreach (var line in decision.Details)
            writer.WriteLine("  " + line);
    }

    /// <summary>The whole message with the margin of NUnit, for an exception.</summary>
    public static string TextOf(Decision decision) =>
        string.Concat(decision.Message.Split('\n').Select(line => "  " + line + Environment.NewLine));
}
