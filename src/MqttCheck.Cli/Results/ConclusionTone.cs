using MqttCheck.Reports.Documents;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Results;

/// <summary>The tone of a page that ends with a conclusion.</summary>
internal static class ConclusionTone
{
    /// <summary>The tone.</summary>
    public static DocumentTone Tone(this Conclusion conclusion) =>
        conclusion.IsMet() switch
        {
            true => DocumentTone.Good,
            false => DocumentTone.Bad,
            null => DocumentTone.Warning,
        };
}
