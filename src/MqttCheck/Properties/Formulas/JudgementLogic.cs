using System.Runtime.CompilerServices;

namespace MqttCheck.Properties.Formulas;

/// <summary>The truth tables of formulas at a message; docs/reference/checking.md prints them.</summary>
internal static class JudgementLogic
{
    /// <summary>The value of an atom that applies to the message.</summary>
    /// <param name="holds">Whether it holds.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Judgement Judged(bool holds) => Judgement.Judged | (holds ? Judgement.Holds : Judgement.Fails);

    /// <summary>Whether it holds, whatever the parts would say that do not apply.</summary>
    /// <param name="value">The value.</param>
    public static bool IsTrue(this Judgement value) =>
        (value & (Judgement.Holds | Judgement.Partial)) == Judgement.Holds;

    /// <summary>Whether it fails, whatever the parts would say that do not apply.</summary>
    /// <param name="value">The value.</param>
    public static bool IsFalse(this Judgement value) =>
        (value & (Judgement.Fails | Judgement.Partial)) == Judgement.Fails;

    /// <summary>The negation.</summary>
    /// <param name="value">The value.</param>
    public static Judgement Not(Judgement value) =>
        (value & (Judgement.Partial | Judgement.Judged))
        | ((value & Judgement.Holds) != 0 ? Judgement.Fails : 0)
        | ((value & Judgement.Fails) != 0 ? Judgement.Holds : 0);

    /// <summary>The conjunction of two decided values.</summary>
    /// <param name="one">One.</param>
    /// <param name="other">The other.</param>
    public static Judgement And(Judgement one, Judgement other)
    {
        var either = one | other;
        var leaning = (either & Judgement.Fails) != 0 ? Judgement.Fails : either & Judgement.Holds;
        // False is false, whatever does not apply.
        var partial = IsFalse(one) || IsFalse(other) ? 0 : either & Judgement.Partial;
        return leaning | partial | (either & Judgement.Judged);
    }
}
