using NUnit.Framework.Constraints;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit.Tests;

/// <summary>What NUnit prints of a result.</summary>
internal static class Message
{
    public static string Of(ConstraintResult result)
    {
        using var writer = new TextMessageWriter();
        result.WriteMessageTo(writer);
        return writer.ToString();
    }
}
