using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Loads.Messages;

namespace MqttCheck.Brokers.Tests.Loads.Messages;

public sealed class MessageWindowTests
{
    [Test]
    public void It_holds_what_a_plain_table_holds([Values(1, 3, 100)] int receivers)
    {
        // Each step opens a message, delivers to a random receiver of a random message, or closes one; old messages
        // stay open, so that they move out of the ring.
        var steps = Gen.Choose(0, int.MaxValue).ListOf(6000).ToArbitrary();
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(4711, 17).WithMaxTest(10),
            Prop.ForAll(
                steps,
                list =>
                {
                    var window = new MessageWindow(receivers);
                    var model = new Dictionary<long, HashSet<int>>();
                    foreach (var step in list)
                    {
                        var number = window.Next == 0 ? 0 : step / 8 % window.Next;
                        switch (step % 8)
                        {
                            case < 4:
                                ref var added = ref window.Add();
                                model.Add(added.Number, []);
                                break;
                            case < 7:
                                ref var slot = ref window.Find(number);
                                if (Unsafe.IsNullRef(ref slot) == model.ContainsKey(number))
                                    return false;
                                if (Unsafe.IsNullRef(ref slot))
                                    break;
                                var receiver = step / 64 % receivers;
                                if (
                                    window.TryReceive(ref slot, receiver) != model[number].Add(receiver)
                                    || slot.Deliveries != model[number].Count
                                )
                                    return false;
                                break;
                            default:
                                if (model.Remove(number))
                                    window.Close(number);
                                break;
                        }
                    }
                    return window.Numbers().SequenceEqual(model.Keys.Order());
                }
            )
        );
    }
}
