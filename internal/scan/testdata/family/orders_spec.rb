require 'sinatra/base'

RSpec.describe Shop::Orders do
  describe '#find' do
    it 'finds one' do
      expect(subject.find(1)).to be_nil
    end

    context 'when closed' do
      it('fails') { expect { subject.find(2) }.to raise_error(Shop::NotFound) }
    end
  end
end

class OrdersTest < Minitest::Test
  def test_adds
    assert Shop.helper(1)
  end
end
