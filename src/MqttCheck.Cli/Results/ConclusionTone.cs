using System.Diagnostics;
using MqttCheck.Reports.Documents;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Results;

/// <summary>The tone of a page that ends with a conclusion.</summary>
internal static class ConclusionTone
{
    /// <summary>The tone.</summary>
    public static DocumentTone Tone(this Conclusion conclusion) =>
        conclusion switch
        {
            Conclusion.Success => DocumentTone.Good,
            Conclusion.Refuted => DocumentTone.Bad,
            Conclusion.Withheld or Conclusion.Failed or Conclusion.Interrupted => DocumentTone.Warning,
            _ => throw new UnreachableException(),
        };
}
