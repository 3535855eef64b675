Rails.application.routes.draw do
  root "home#index"
  get "/about", to: "pages#about"
  resources :orders do
    post "close", to: "orders#close"
  end
  namespace :admin do
    get "stats" => "stats#show"
  end
end
