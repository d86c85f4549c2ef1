using System.Text.Json.Serialization;

namespace MqttCheck.Verification;

/// <summary>The verdict of a verification about a prediction.</summary>
public enum VerdictKind
{
    /// <summary>
    /// The broker behaves as predicted, within the indifference or, where it is wider, the prediction's own interval:
    /// what is worse is rejected, and what is better too.
    /// </summary>
    Confirmed,

    /// <summary>
    /// As <see cref="Confirmed"/>, but one of the sides was not tested: a one-sided test was asked for, or the
    /// prediction is so near to 1 or 0 that nothing beyond it could be rejected.
    /// </summary>
    [JsonStringEnumMemberName("not-worse")]
    NotWorse,

    /// <summary>The broker is worse than predicted, and worse than the prediction's own interval allows.</summary>
    Worse,

    /// <summary>The broker is better than predicted: the prediction was too low.</summary>
    Better,

    /// <summary>No verdict with the stated errors; the reason says why.</summary>
    Withheld,

    /// <summary>The verification was interrupted.</summary>
    Partial,
}
