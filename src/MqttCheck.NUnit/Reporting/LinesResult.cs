using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit.Reporting;

/// <summary>
/// The result of a constraint of several lines. It writes its lines where combined constraints (<c>&amp;</c>) look for
/// them too.
/// </summary>
/// <param name="constraint">The constraint.</param>
/// <param name="value">What was looked at.</param>
/// <param name="met">Whether the requirement is met.</param>
/// <param name="actual">What was seen, for the line "But was".</param>
/// <param name="details">The lines below.</param>
internal sealed class LinesResult(
    IConstraint constraint,
    object value,
    bool met,
    string actual,
    IReadOnlyList<string> details
) : ConstraintResult(constraint, value, met)
{
    public override void WriteActualValueTo(MessageWriter writer) => writer.Write(actual);

    public override void WriteAdditionalLinesTo(MessageWriter writer)
    {
        foreach (var line in details)
            writer.WriteLine("  " + line);
    }
}
