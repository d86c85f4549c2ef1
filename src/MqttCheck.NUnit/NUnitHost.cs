using MqttCheck.Testing;
using NUnit.Framework;
using NUnit.Framework.Interfaces;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit;

/// <summary>The services that NUnit offers to the test that runs.</summary>
internal static class NUnitHost
{
    private const string Folder = "mqttcheck-reports";

    // The property under which a test or its fixture keeps the names of the variables that named its brokers.
    private const string VariableProperty = "MqttCheck.BrokerVariable";

    /// <summary>The current test.</summary>
    public static TestHost Current()
    {
        var context = TestContext.CurrentContext;
        return new()
        {
            Name = context.Test.FullName + Number(),
            // The name of a fixture with arguments has parentheses in it, which filters do not take.
            Filter = $"FullyQualifiedName~.{context.Test.MethodName}",
            Variables = [.. Variables()],
            Directory = Path.Combine(context.WorkDirectory, Folder),
            Token = context.CancellationToken,
            WriteProgress = TestContext.Progress.WriteLine,
            Attach = TestContext.AddTestAttachment,
            Call = CallAsync,
        };
    }

    /// <summary>Keeps the name of a variable that named a broker, for the command that repeats the test.</summary>
    public static void AddVariable(string variable) =>
        TestExecutionContext.CurrentContext.CurrentTest.Properties.Add(VariableProperty, variable);

    // Each constraint of a test has a host of its own; its report must not replace that of an earlier one.
    private static string Number()
    {
        var earlier = TestExecutionContext.CurrentContext.CurrentResult.TestAttachments.Count(attachment =>
            attachment.FilePath.EndsWith(".html", StringComparison.Ordinal)
        );
        return earlier == 0 ? "" : FormattableString.Invariant($".{earlier + 1}");
    }

    private static IEnumerable<string> Variables()
    {
        for (ITest? test = TestExecutionContext.CurrentContext.CurrentTest; test is not null; test = test.Parent)
            foreach (var variable in test.Properties[VariableProperty])
                yield return (string)variable;
    }

    // A failed assertion of an action is a miss; NUnit would count it against the test, even where it is caught.
    private static async Task CallAsync(Func<Task> work)
    {
        using (new TestExecutionContext.IsolatedContext())
        {
            try
            {
                await work();
            }
            catch (SuccessException)
            {
                // Assert.Pass ends an action with success.
            }
        }
    }
}
