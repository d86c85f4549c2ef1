using MqttCheck;

namespace Shared;

/// <summary>Asserts that what is wrong is refused.</summary>
internal static class WrongValue
{
    /// <summary>Asserts that each act is refused with a message that has its words; a task is awaited.</summary>
    public static void AssertRefused(params (string Words, Func<object?> Act)[] cases)
    {
        foreach (var (words, act) in cases)
            Assert.That(
                () => act() as Task ?? Task.CompletedTask,
                Throws.TypeOf<InputException>().With.Message.Contains(words)
            );
    }
}
